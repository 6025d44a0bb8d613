import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { type TextStatement, WrittenText } from '../../../contracts/report/written-text';
import { Judgement } from '../../../contracts/judge/judgement';
import { NO_USAGE } from '../../../core/budget/usage';
import { problemsOfPart } from '../../../core/judge/problems-of-part';
import { citedIds } from '../../../core/text/citation-marks';
import { eventKey } from '../../../core/run/event-key';
import { editText, statementsToMend, type TextEdit } from '../../../core/written-text/edit-text';
import { blocksIn, plainText } from '../../../core/written-text/read-text';
import { mendText as mendTextStep, type MendTextInput } from '../../../steps/mend-text/mend-text';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { runStep, type Spent } from '../../shared/run-step';
import { openCatalogue } from '../gather/catalogue';
import { streamAgain, withParagraphs } from './audit-text';
import { citedSources, passagesNear, quotesOf } from './text-sources';

export interface MendTextActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** What a judge named of these parts; absent where an audit asks for the mending. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedText extends Spent {
  textRef: ArtifactRef;
  /** Ids of the statements of the new sentences. */
  changed: string[];
  /** The parts that changed. */
  parts: string[];
}

/** A replacement of a wrong sentence may be so much longer; short sentences may grow by some words. */
const GROWTH = 1.5;
const GROWTH_CHARS = 150;

/** Has the writer mend the sentences that an audit or a judge found wrong. All others stay byte for byte. */
export async function mendText(
  ports: ActivityPorts,
  input: MendTextActivityInput,
  signal: AbortSignal,
): Promise<MendedText> {
  const { run, catalogueRef, validatedRef, textRef, revision } = input;
  const { content, events } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const faults =
    input.judged === undefined ? auditFaults(text) : await judgeFaults(ports, text, input.judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const catalogue = await openCatalogue(content, catalogueRef);
  const named = new Set(faults.flatMap(({ statementIds }) => statementIds));
  const shown = withParagraphs(text, named);
  const faulty = text.statements.filter(({ id }) => named.has(id));
  const cited = new Set([
    ...shown.flatMap(({ sourceIds }) => sourceIds),
    ...faults.flatMap(({ reason }) => citedIds(reason)),
  ]);
  const known = quotesOf(await readShared(content, validatedRef, ValidatedFindings));
  const quotes = input.judged === undefined ? quotesIn(faulty) : [...quotesIn(faulty), ...known];
  const wanted = [
    ...faulty,
    ...faults.map(({ reason }) => ({ plain: plainText(reason), sourceIds: citedIds(reason) })),
  ];
  const sources = passagesNear(await citedSources(ports, catalogue, cited), wanted, quotes);
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    mendTextStep,
    { question: run.question, sources, statements: shownStatements(text, shown), faults },
    { place: { pass: 4, revision }, signal },
  );
  const mended = editText({ ...text, notes: [] }, allowedEdits(text, faults, output.edits));
  // What is not edited is the same object, whatever other sentence has its words.
  const before = new Set(text.statements);
  const changed = mended.statements.filter((statement) => !before.has(statement));
  const changes = mended.changes.slice(text.changes.length);
  for (const [at, { partId, before: old, after, reason }] of changes.entries()) {
    const key = eventKey({
      pass: 4,
      step: mendTextStep.name,
      section: partId,
      revision,
      type: 'revision',
      ordinal: at,
    });
    await events.appendOnce(run.runId, key, {
      type: 'revision',
      payload: {
        section: partId,
        revision,
        reason: plainText(reason),
        change: { before: plainText(old), after: after === null ? null : plainText(after) },
      },
    });
  }
  await streamAgain(ports, run, mended);
  return {
    textRef: await storeArtifact(content, run.runId, mended),
    changed: changed.map(({ id }) => id),
    parts: [...new Set(changes.map(({ partId }) => partId))],
    usage,
    warnings,
  };
}

function auditFaults(text: WrittenText): MendTextInput['faults'] {
  const known = new Set(text.statements.map(({ id }) => id));
  return [
    ...statementsToMend(text).map(({ id, verdict, fault }) => ({
      statementIds: [id],
      reason: fault ?? verdict?.reason ?? '',
      mayGrow: false,
    })),
    ...text.notes.flatMap(({ text: reason, statementIds }) => {
      const ids = statementIds.filter((id) => known.has(id));
      return ids.length === 0 ? [] : [{ statementIds: ids, reason, mayGrow: true }];
    }),
  ];
}

/** A judge quotes rendered text; where it means a whole part, its last sentence may grow. */
async function judgeFaults(
  { content }: Pick<ActivityPorts, 'content'>,
  text: WrittenText,
  { judgementRef, parts }: NonNullable<MendTextActivityInput['judged']>,
): Promise<MendTextInput['faults']> {
  const judgement = await readShared(content, judgementRef, Judgement);
  return parts.flatMap((partId) => {
    const own = text.statements.filter((statement) => statement.partId === partId);
    return problemsOfPart(judgement, partId).flatMap(({ reason, quote }) => {
      const words = quote === null ? null : plainText(quote);
      const meant =
        words === null
          ? own.slice(-1)
          : own.filter(({ plain }) => plain.includes(words) || words.includes(plain)).slice(0, 3);
      return meant.length === 0 ? [] : [{ statementIds: meant.map(({ id }) => id), reason, mayGrow: true }];
    });
  });
}

function quotesIn(statements: readonly TextStatement[]): ReturnType<typeof quotesOf> {
  return statements.flatMap(({ verdict }) => [
    ...(verdict?.evidence ? [verdict.evidence] : []),
    ...(verdict?.quotes ?? []),
  ]);
}

function shownStatements(text: WrittenText, shown: readonly TextStatement[]): MendTextInput['statements'] {
  const titles = new Map(text.parts.map(({ id, title }) => [id, title]));
  const blocks = new Map(text.parts.map(({ id, markdown }) => [id, blocksIn(markdown)]));
  return shown.map(({ id, partId, text: written }) => ({
    id,
    part: titles.get(partId) ?? '',
    block: blocks.get(partId)?.findIndex((block) => block.includes(written)) ?? 0,
    text: written,
  }));
}

/** Edits with their fault's reason; a wrong sentence that would grow into a paragraph is deleted. */
function allowedEdits(
  text: WrittenText,
  faults: MendTextInput['faults'],
  edits: readonly { statementId: string; text: string }[],
): TextEdit[] {
  return edits.flatMap(({ statementId, text: written }) => {
    const own = faults.filter(({ statementIds }) => statementIds.includes(statementId));
    const [fault] = own;
    const old = text.statements.find(({ id }) => id === statementId);
    if (fault === undefined || old === undefined) return [];
    const most = Math.max(old.plain.length * GROWTH, old.plain.length + GROWTH_CHARS);
    const isTooLong = !own.some(({ mayGrow }) => mayGrow) && plainText(written).length > most;
    return [{ statementId, text: isTooLong ? '' : written, reason: fault.reason }];
  });
}
