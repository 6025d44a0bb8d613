import type { TextStatement, WrittenText } from '../contracts/draft';
import type { Evidence } from '../contracts/finding';
import {
  JUDGE_DIMENSIONS,
  type JudgedBy,
  JudgedDocument,
  type JudgedVersion,
  Judgement,
  type JudgeScores,
  mapDimensions,
  type ReportJudge,
} from '../contracts/judgement';
import { eventKey } from '../contracts/run-protocol';
import type { JudgeSettings } from '../contracts/run-settings';
import type { ArtifactRef, SourceWindow } from '../contracts/source';
import { partsToRevise, problemsOfPart, scoreJudgement } from '../evidence/judge-scores';
import {
  blocksIn,
  editText,
  isWordingIssue,
  plainText,
  statementsToMend,
  type TextEdit,
} from '../evidence/written-text';
import { citedIds } from '../lib/citation-marks';
import { mendText as mendTextStep, type MendTextInput } from '../steps/audit-text';
import { judge } from '../steps/judge';
import type { ContentStore } from '../stores/content-store';
import { readCached, storeArtifact } from './artifacts';
import {
  selectPassages,
  tableHeads,
  type TextPlace,
  withFallbackSources,
  withParagraphs,
} from './audit-statements';
import type { ActivityPorts, RunContext } from './ports';
import { roundOrdinal, runStep, type UsageAndWarnings } from './run-step';

// Judges versions of a text, and mends the statements that an audit or a judge named.

export interface JudgeVersionInput {
  run: RunContext & { judge: JudgeSettings };
  /** From 1, in order of writing. */
  version: number;
  judgedRef: ArtifactRef;
  /** Parts rewritten for this version; empty for the first. */
  revised: string[];
}

/** Only scores and ids; the judge's text is in the artifact. */
export interface JudgedVersionResult extends UsageAndWarnings {
  judgementRef: ArtifactRef;
  by: JudgedBy;
  scores: JudgeScores;
  overall: number;
  passed: boolean;
  named: string[];
}

const PASS = 4;

/** Judges a version of any kind of run and weighs the scores by the verifier's figures. */
export async function judgeVersion(
  ports: ActivityPorts,
  { run, version, judgedRef, revised }: JudgeVersionInput,
  signal: AbortSignal,
): Promise<JudgedVersionResult> {
  const { content, events } = ports;
  const { judge: settings, ...brief } = run;
  const document = await readCached(content, judgedRef, JudgedDocument);
  const place = { pass: PASS, section: 'judge', revision: version - 1 };
  const { output, usage, warnings } = await runStep(
    ports,
    brief,
    judge,
    { document, settings },
    { place, signal },
  );
  const judgement = scoreJudgement(output, settings, document);
  const judgementRef = await storeArtifact(content, run.runId, judgement);
  const { by, overall, passed } = judgement;
  const scores = mapDimensions(JUDGE_DIMENSIONS, (dimension) => judgement.scores[dimension].score);
  const told = { by, scores, overall, passed };
  await events.appendOnce(
    run.runId,
    eventKey({ ...place, ...roundOrdinal(run), step: judge.name, type: 'judge' }),
    {
      type: 'judge',
      payload: { version, ...told, revised },
    },
  );
  return { judgementRef, ...told, named: partsToRevise(judgement), usage, warnings };
}

export async function readJudgement(
  content: ContentStore,
  judge: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] },
): Promise<ReportJudge> {
  const { judgementRef, version, versions } = judge;
  return { ...(await readCached(content, judgementRef, Judgement)), version, versions };
}

export type TextFault = MendTextInput['faults'][number];

/** Maximum growth of a replacement: a factor, or characters for short sentences. */
const GROWTH = 2;
const GROWTH_CHARS = 300;

export interface MendedStatements extends UsageAndWarnings {
  text: WrittenText;
  changed: string[];
  parts: string[];
}

/** Statements without a fault stay byte for byte. Records each change as an event. */
export async function mendStatements(
  ports: ActivityPorts,
  run: RunContext,
  {
    text,
    faults,
    readSources,
    quotes = [],
  }: {
    text: WrittenText;
    faults: TextFault[];
    readSources: (ids: ReadonlySet<string>) => Promise<SourceWindow[]>;
    /** Evidence for the writer, in addition to that of the verdicts. */
    quotes?: readonly Evidence[];
  },
  at: { place: TextPlace; signal: AbortSignal },
): Promise<MendedStatements> {
  const named = new Set(faults.flatMap(({ statementIds }) => statementIds));
  const shown = withParagraphs(text, named);
  const faulty = text.statements.filter(({ id }) => named.has(id));
  const restedOn = faulty.map((statement) => withFallbackSources(text, statement));
  const cited = new Set([
    ...restedOn.flatMap(({ sourceIds }) => sourceIds),
    ...shown.flatMap(({ sourceIds }) => sourceIds),
    ...faults.flatMap(({ reason }) => citedIds(reason)),
    ...quotesIn(faulty).map(({ sourceId }) => sourceId),
  ]);
  const wanted = [
    ...restedOn,
    ...faults.map(({ reason }) => ({ plain: plainText(reason), sourceIds: citedIds(reason) })),
  ];
  const sources = selectPassages(await readSources(cited), wanted, [...quotesIn(faulty), ...quotes]);
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    mendTextStep,
    { question: run.question, sources, statements: mendStepStatements(text, shown), faults },
    at,
  );
  const mended = editText({ ...text, notes: [] }, allowedEdits(text, faults, output.edits));
  // Compared by identity, because two sentences may have the same words.
  const before = new Set(text.statements);
  const changed = mended.statements.filter((statement) => !before.has(statement));
  const changes = mended.changes.slice(text.changes.length);
  await recordChanges(ports, run, changes, at.place);
  return {
    text: mended,
    changed: changed.map(({ id }) => id),
    parts: [...new Set(changes.map(({ partId }) => partId))],
    usage,
    warnings,
  };
}

async function recordChanges(
  { events }: Pick<ActivityPorts, 'events'>,
  { runId }: Pick<RunContext, 'runId'>,
  changes: WrittenText['changes'],
  place: TextPlace,
): Promise<void> {
  for (const [ordinal, { partId, before, after, reason }] of changes.entries()) {
    const key = eventKey({ ...place, step: mendTextStep.name, section: partId, type: 'revision', ordinal });
    await events.appendOnce(runId, key, {
      type: 'revision',
      payload: {
        section: partId,
        revision: place.revision,
        reason: plainText(reason),
        change: { before: plainText(before), after: after === null ? null : plainText(after) },
      },
    });
  }
}

/** Faults that a judge named in these parts; without a judgement, those of the audit. */
export async function readFaults(
  { content }: Pick<ActivityPorts, 'content'>,
  text: WrittenText,
  judged: { judgementRef: ArtifactRef; parts: readonly string[] } | undefined,
): Promise<TextFault[]> {
  if (judged === undefined) return auditFaults(text);
  return judgeFaults(text, await readCached(content, judged.judgementRef, Judgement), judged.parts);
}

function auditFaults(text: WrittenText): TextFault[] {
  const known = new Set(text.statements.map(({ id }) => id));
  return [
    ...statementsToMend(text).map((statement) => ({
      statementIds: [statement.id],
      reason: statement.fault ?? statement.verdict?.reason ?? '',
      mayGrow: false,
      ...(isWordingIssue(statement) ? { isWording: true } : {}),
    })),
    ...text.notes.flatMap(({ text: reason, statementIds }) => {
      const ids = statementIds.filter((id) => known.has(id));
      return ids.length === 0 ? [] : [{ statementIds: ids, reason, mayGrow: true }];
    }),
  ];
}

/** Judges quote rendered text. Without a quote, the last sentence of the part may grow. */
export function judgeFaults(text: WrittenText, judgement: Judgement, parts: readonly string[]): TextFault[] {
  return parts.flatMap((partId) => {
    const own = text.statements.filter((statement) => statement.partId === partId);
    // Removed claims have no text to mend.
    const areClaimsNamed = text.removed.some((claim) => claim.partId === partId);
    return problemsOfPart(judgement, partId, { areClaimsNamed }).flatMap(({ reason, quote }) => {
      const words = quote === null ? null : plainText(quote);
      const meant =
        words === null
          ? own.slice(-1)
          : own
              .filter(({ plain }) => plain.includes(words) || words.includes(withoutStop(plain)))
              .slice(0, 3);
      return meant.length === 0 ? [] : [{ statementIds: meant.map(({ id }) => id), reason, mayGrow: true }];
    });
  });
}

function withoutStop(sentence: string): string {
  return sentence.replace(/[.!?]+$/, '');
}

function quotesIn(statements: readonly TextStatement[]): Evidence[] {
  return statements.flatMap(({ verdict }) => [
    ...(verdict?.evidence ? [verdict.evidence] : []),
    ...(verdict?.quotes ?? []),
  ]);
}

function mendStepStatements(text: WrittenText, shown: readonly TextStatement[]): MendTextInput['statements'] {
  const titles = new Map(text.parts.map(({ id, title }) => [id, title]));
  const blocks = new Map(text.parts.map(({ id, markdown }) => [id, blocksIn(markdown)]));
  const heads = tableHeads(text, shown);
  return shown.flatMap(({ id, partId, text: written }) => {
    const part = titles.get(partId) ?? '';
    const block = blocks.get(partId)?.findIndex((one) => one.includes(written)) ?? 0;
    const head = heads.get(id);
    return [
      ...(head === undefined ? [] : [{ id: `${id} head`, part, block, text: head }]),
      { id, part, block, text: written },
    ];
  });
}

/** An edit has the reason of its own fault, else of the fault of the sentence before. */
function allowedEdits(
  text: WrittenText,
  faults: readonly TextFault[],
  edits: readonly { statementId: string; text: string }[],
): TextEdit[] {
  return edits.flatMap(({ statementId, text: written }) => {
    const at = text.statements.findIndex(({ id }) => id === statementId);
    const [before, old] = [text.statements[at - 1], text.statements[at]];
    const naming = (id: string | undefined): TextFault[] =>
      faults.filter(({ statementIds }) => id !== undefined && statementIds.includes(id));
    const own = naming(statementId);
    const [fault] = own.length > 0 ? own : naming(before?.id);
    if (fault === undefined || old === undefined) return [];
    const most = Math.max(old.plain.length * GROWTH, old.plain.length + GROWTH_CHARS);
    const isTooLong = !own.some(({ mayGrow }) => mayGrow) && plainText(written).length > most;
    return isTooLong ? [] : [{ statementId, text: written, reason: fault.reason }];
  });
}
