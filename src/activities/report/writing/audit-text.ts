import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf } from '../../../contracts/run/engines';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { type TextStatement, WrittenText } from '../../../contracts/report/written-text';
import type { SourceWindow } from '../../../contracts/source/passage';
import { NO_USAGE } from '../../../core/budget/usage';
import { eventKey } from '../../../core/run/event-key';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { decideStatement, type StatementByWords } from '../../../core/written-text/decide-statement';
import { statementsToMend, withoutWrong } from '../../../core/written-text/edit-text';
import { blocksIn } from '../../../core/written-text/read-text';
import { auditText as auditTextStep, type AuditTextInput } from '../../../steps/audit-text/audit-text';
import { absentNumbers, numberedTexts } from '../../../verification/absent-numbers';
import { preparePassages } from '../../../verification/prepared-passages';
import { verifyPrepared } from '../../../verification/verify-prepared';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { roundOf, runStep, type Spent } from '../../shared/run-step';
import { openSectionStream } from '../../shared/section-stream';
import { wholeSources } from '../deep-dive/read-sources';
import { openCatalogue } from '../gather/catalogue';
import { citedSources, passagesNear, quotesOf, worksOf } from './text-sources';
import { SECTION_WRITER } from './write-section';

export interface AuditTextActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong?: boolean;
}

export interface AuditedTextResult extends Spent {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
}

/** A verdict for each statement of a text: what words find points the critic to it, and the critic decides. */
export async function auditText(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, textRef, revision, only, removesWrong = false }: AuditTextActivityInput,
  signal: AbortSignal,
): Promise<AuditedTextResult> {
  const { content, events } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const catalogue = await openCatalogue(content, catalogueRef);
  const asked = text.statements.filter(({ id }) => only === undefined || only.includes(id));
  const shown = only === undefined ? text.statements : withParagraphs(text, new Set(only));
  const cited = new Set([...asked, ...shown].flatMap(({ sourceIds }) => sourceIds));
  const whole = only === undefined ? await wholeSources(ports, run, catalogue, signal) : null;
  const full = await citedSources(ports, catalogue, cited);
  const quotes = quotesOf(await readShared(content, validatedRef, ValidatedFindings));
  const sources = whole ?? passagesNear(full, asked, quotes);
  const works = await worksOf(catalogue, sources);
  const byWords = statementsByWords(asked, full, run.question);
  const said =
    traitsOf(run.engine).asksModels && asked.length > 0
      ? await runStep(
          ports,
          run,
          auditTextStep,
          stepInput(text, { asked, shown, sources, byWords, run, works, asksNotes: only === undefined }),
          {
            place: { pass: 4, revision },
            signal,
          },
        )
      : { output: { verdicts: [], notes: [] }, usage: NO_USAGE, warnings: [] };
  const saidOf = new Map(said.output.verdicts.map((verdict) => [verdict.id, verdict]));
  const askedIds = new Set(asked.map(({ id }) => id));
  const audited: WrittenText = {
    ...text,
    statements: text.statements.map((statement) => {
      const words = byWords.get(statement.id);
      if (!askedIds.has(statement.id) || words === undefined) return statement;
      const { severity: _severity, fault: _fault, ...rest } = statement;
      return { ...rest, ...decideStatement(statement, saidOf.get(statement.id), words) };
    }),
    notes: said.output.notes,
    isChecked: text.isChecked || saidOf.size > 0,
  };
  const kept = removesWrong ? withoutWrong(audited) : audited;
  if (kept !== audited) await streamAgain(ports, run, kept);
  const wrong = statementsToMend(audited).length;
  const key = eventKey({ pass: 4, revision, ...roundOf(run), step: auditTextStep.name, type: 'audit' });
  await events.appendOnce(run.runId, key, {
    type: 'audit',
    payload: {
      section: 'report',
      revision,
      audit: countVerdicts(audited.statements.flatMap(({ verdict }) => verdict ?? [])),
      needsRetry: wrong + audited.notes.length > 0,
      setAside: kept.removed.length,
    },
  });
  return {
    textRef: await storeArtifact(content, run.runId, kept),
    wrong,
    notes: audited.notes.length,
    usage: said.usage,
    warnings: said.warnings,
  };
}

/** The texts of the parts as they stand now. */
export async function streamAgain(
  { events }: Pick<ActivityPorts, 'events'>,
  run: Pick<ReportFacts, 'runId'>,
  { parts }: Pick<WrittenText, 'parts'>,
): Promise<void> {
  for (const { id, markdown } of parts)
    await (await openSectionStream(events, run.runId, id, SECTION_WRITER)).finish(markdown);
}

/** What words find of each statement in the whole text of the sources that it cites. */
function statementsByWords(
  statements: readonly TextStatement[],
  sources: readonly SourceWindow[],
  question: string,
): Map<string, StatementByWords> {
  const bySource = new Map(
    sources.map((source) => {
      const { sourceId, title, author = '', publishedAt = '', site = '' } = source;
      return [sourceId, { source, about: [title, author, publishedAt, site].filter((one) => one !== '') }];
    }),
  );
  return new Map(
    statements.map(({ id, plain, sourceIds }): [string, StatementByWords] => {
      const cited =
        sourceIds.length > 0 ? sourceIds.flatMap((one) => bySource.get(one) ?? []) : [...bySource.values()];
      const passages = cited.flatMap(({ source: { sourceId, passages: own } }) =>
        own.map((passage) => ({ sourceId, text: passage.text, start: passage.start })),
      );
      const texts = [question, ...cited.flatMap(({ about }) => about), ...passages.map(({ text }) => text)];
      const attribution = cited.flatMap(({ about }) => about);
      const verdict =
        sourceIds.length === 0
          ? null
          : verifyPrepared(plain, preparePassages(passages), { cited: [...passages.keys()], attribution });
      const digits = new Set(texts.flatMap(digitsIn));
      const absent = absentNumbers(plain, numberedTexts(texts)).filter(
        (number) => !/\d/.test(number) || !digitsIn(number).every((one) => digits.has(one)),
      );
      return [id, { verdict, absentNumbers: absent, texts }];
    }),
  );
}

/** Numbers as digits alone: `100,000`, `100 000` and `100.000` are the same, whatever unit stands behind. */
function digitsIn(text: string): string[] {
  return text.replace(/(?<=\d)[.,\s](?=\d{3}(?!\d))/g, '').match(/\d+(?:\.\d+)?/g) ?? [];
}

function stepInput(
  text: WrittenText,
  {
    asked,
    shown,
    byWords,
    run,
    ...rest
  }: Pick<AuditTextInput, 'sources' | 'works' | 'asksNotes'> & {
    asked: readonly TextStatement[];
    shown: readonly TextStatement[];
    byWords: ReadonlyMap<string, StatementByWords>;
    run: ReportFacts;
  },
): AuditTextInput {
  const titles = new Map(text.parts.map(({ id, title }) => [id, title]));
  const ids = new Set(asked.map(({ id }) => id));
  return {
    question: run.question,
    ...rest,
    statements: shown.map(({ id, partId, text: written, sourceIds }) => {
      const noticed = noticedOf(byWords.get(id));
      return {
        id,
        part: titles.get(partId) ?? '',
        text: written,
        sourceIds,
        isAsked: ids.has(id),
        ...(noticed === null ? {} : { noticed }),
      };
    }),
  };
}

function noticedOf(words: StatementByWords | undefined): string | null {
  const [number] = words?.absentNumbers ?? [];
  if (number !== undefined)
    return `“${number}” was not found in what it cites: reject it, or give the calculation`;
  const verdict = words?.verdict;
  return verdict?.verdict === 'contradicted' ? verdict.reason : null;
}

/** These statements with the others of their paragraphs, in order of the text. */
export function withParagraphs(text: WrittenText, ids: ReadonlySet<string>): TextStatement[] {
  return text.parts.flatMap(({ id, markdown }) => {
    const own = text.statements.filter(({ partId }) => partId === id);
    const touched = blocksIn(markdown).filter((block) =>
      own.some((statement) => ids.has(statement.id) && block.includes(statement.text)),
    );
    return own.filter((statement) => touched.some((block) => block.includes(statement.text)));
  });
}
