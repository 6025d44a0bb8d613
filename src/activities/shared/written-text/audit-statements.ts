import { setImmediate as nextTurn } from 'node:timers/promises';
import { traitsOf } from '../../../contracts/run/engines';
import type { TextStatement, WrittenText } from '../../../contracts/report/written-text';
import type { SourceWindow } from '../../../contracts/source/passage';
import { NO_USAGE } from '../../../core/budget/usage';
import { eventKey, type EventPlace } from '../../../core/run/event-key';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { decideStatement, type StatementByWords } from '../../../core/written-text/decide-statement';
import { statementsToMend, withoutWrong } from '../../../core/written-text/edit-text';
import { blocksIn, isTableHead, ITEM } from '../../../core/written-text/read-text';
import { auditText as auditTextStep, type AuditTextInput } from '../../../steps/audit-text/audit-text';
import { absentNumbers, numberedTexts } from '../../../verification/absent-numbers';
import { preparePassages } from '../../../verification/prepared-passages';
import { verifyPrepared } from '../../../verification/verify-prepared';
import type { ActivityPorts, RunFacts } from '../ports';
import { runStep, type Spent } from '../run-step';
import type { CitedWords } from './passages-near';

/** Where a text is audited or mended, for events and calls. */
export type TextPlace = Pick<EventPlace, 'pass' | 'section'> & { revision: number };

export interface StatementsToAudit {
  asked: TextStatement[];
  /** Those and the others of their paragraphs, in order of the text. */
  shown: TextStatement[];
  /** The sources that they cite, or rest on. */
  sourceIds: Set<string>;
}

/** A statement with the sources that it rests on: those that it cites, else those of its part, else those of the whole text. */
export function restingOn(text: WrittenText, { partId, plain, sourceIds }: TextStatement): CitedWords {
  if (sourceIds.length > 0) return { plain, sourceIds };
  const citedIn = (statements: readonly TextStatement[]): string[] => [
    ...new Set(statements.flatMap((one) => one.sourceIds)),
  ];
  const ofPart = citedIn(text.statements.filter((one) => one.partId === partId));
  return { plain, sourceIds: ofPart.length > 0 ? ofPart : citedIn(text.statements) };
}

/** The statements with these ids; without ids, all. */
export function statementsToAudit(text: WrittenText, only?: readonly string[]): StatementsToAudit {
  const asked = text.statements.filter(({ id }) => only === undefined || only.includes(id));
  const shown = only === undefined ? text.statements : withParagraphs(text, new Set(only));
  const cited = shown.flatMap(({ sourceIds }) => sourceIds);
  const restedOn = asked.flatMap((statement) => restingOn(text, statement).sourceIds);
  return { asked, shown, sourceIds: new Set([...cited, ...restedOn]) };
}

export interface StatementAudit extends Pick<StatementsToAudit, 'asked' | 'shown'> {
  text: WrittenText;
  /** Sources as the critic reads them. */
  sources: SourceWindow[];
  /** The cited sources as a whole, which words are compared with. */
  cited: SourceWindow[];
  /** Ids of sources that are parts of one work, a list a work. */
  works: string[][];
  /** True if faults of the whole text are wanted too. */
  asksNotes: boolean;
  /** True if statements that are wrong are taken out. */
  removesWrong: boolean;
}

export interface AuditedStatements extends Spent {
  /** With its verdicts. */
  text: WrittenText;
  /** The same without what is wrong, where that is to be taken out. */
  kept: WrittenText;
  /** How many statements are to mend. */
  wrong: number;
}

/** A verdict for each of the asked statements: what words find points the critic to it, and the critic decides. */
export async function auditStatements(
  ports: ActivityPorts,
  run: RunFacts,
  { text, asked, shown, cited, removesWrong, ...material }: StatementAudit,
  at: { place: TextPlace; signal: AbortSignal },
): Promise<AuditedStatements> {
  const byWords = await statementsByWords(asked, cited, run.question);
  const said =
    traitsOf(run.engine).asksModels && asked.length > 0
      ? await runStep(
          ports,
          run,
          auditTextStep,
          stepInput(text, { asked, shown, byWords, question: run.question, ...material }),
          at,
        )
      : { output: { verdicts: [], notes: [] }, usage: NO_USAGE, warnings: [] };
  const criticVerdicts = new Map(said.output.verdicts.map((verdict) => [verdict.id, verdict]));
  const audited: WrittenText = {
    ...text,
    statements: text.statements.map((statement) => {
      const words = byWords.get(statement.id);
      if (words === undefined) return statement;
      const { severity: _severity, fault: _fault, ...rest } = statement;
      return { ...rest, ...decideStatement(statement, criticVerdicts.get(statement.id), words) };
    }),
    notes: said.output.notes,
    isChecked: text.isChecked || criticVerdicts.size > 0,
  };
  return {
    text: audited,
    kept: removesWrong ? withoutWrong(audited) : audited,
    wrong: statementsToMend(audited).length,
    usage: said.usage,
    warnings: said.warnings,
  };
}

/** The statements of a text; where some were taken out or deleted, those that cite sources: introductions alone are no text. */
export function statementsLeft({ statements, removed, changes }: WrittenText): TextStatement[] {
  const isCut = removed.length > 0 || changes.some(({ after }) => after === null);
  return isCut ? statements.filter(({ sourceIds }) => sourceIds.length > 0) : statements;
}

/** Appends the event of an audit under the text's name. */
export async function tellAudit(
  { events }: Pick<ActivityPorts, 'events'>,
  run: Pick<RunFacts, 'runId'>,
  { text, kept, wrong }: Pick<AuditedStatements, 'text' | 'kept' | 'wrong'>,
  { name, place }: { name: string; place: TextPlace & Pick<EventPlace, 'ordinal'> },
): Promise<void> {
  const key = eventKey({ ...place, step: auditTextStep.name, type: 'audit' });
  await events.appendOnce(run.runId, key, {
    type: 'audit',
    payload: {
      section: name,
      revision: place.revision,
      audit: countVerdicts(text.statements.flatMap(({ verdict }) => verdict ?? [])),
      needsRetry: wrong + text.notes.length > 0,
      setAside: kept.removed.length,
    },
  });
}

/**
 * What words find of each statement in the whole text of the sources that it cites. Heartbeats are sent between the statements: all
 * statements over long sources take longer than a heartbeat may.
 */
async function statementsByWords(
  statements: readonly TextStatement[],
  sources: readonly SourceWindow[],
  question: string,
): Promise<Map<string, StatementByWords>> {
  const bySource = new Map(
    sources.map((source) => {
      const { sourceId, title, author = '', publishedAt = '', site = '' } = source;
      return [sourceId, { source, about: [title, author, publishedAt, site].filter((one) => one !== '') }];
    }),
  );
  const found = new Map<string, StatementByWords>();
  for (const { id, plain, sourceIds } of statements) {
    await nextTurn();
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
    found.set(id, { verdict, absentNumbers: missingNumbers(plain, texts), texts });
  }
  return found;
}

/** The numbers of a sentence that stand in none of the texts, as they are written. */
export function missingNumbers(plain: string, texts: readonly string[]): string[] {
  const digits = new Set(texts.flatMap(digitsIn));
  return absentNumbers(plain, numberedTexts(texts)).filter(
    (number) => !/\d/.test(number) || !digitsIn(number).every((one) => digits.has(one)),
  );
}

/** The numbers of a text as digits, without units: `100,000`, `100 000` and `100.000` all give `100000`. */
function digitsIn(text: string): string[] {
  // Text taken from a PDF may have `3, 154`, which may be one number or two.
  const written = text.replace(/(?<=\d)[.,\s](?=\d{3}(?!\d))/g, '');
  const joined = written.replace(/(?<=\d), (?=\d{3}(?!\d))/g, '');
  return [...new Set([written, joined])].flatMap((one) => one.match(/\d+(?:\.\d+)?/g) ?? []);
}

function stepInput(
  text: WrittenText,
  {
    asked,
    shown,
    byWords,
    ...rest
  }: Pick<AuditTextInput, 'question' | 'sources' | 'works' | 'asksNotes'> &
    Pick<StatementsToAudit, 'asked' | 'shown'> & { byWords: ReadonlyMap<string, StatementByWords> },
): AuditTextInput {
  const titles = new Map(text.parts.map(({ id, title }) => [id, title]));
  const ids = new Set(asked.map(({ id }) => id));
  const heads = tableHeads(text, shown);
  return {
    ...rest,
    statements: shown.flatMap(({ id, partId, text: written, sourceIds }) => {
      const noticed = noticedOf(byWords.get(id), sourceIds.length > 0);
      const part = titles.get(partId) ?? '';
      const head = heads.get(id);
      return [
        ...(head === undefined
          ? []
          : [{ id: `${id} head`, part, text: head, sourceIds: [], isAsked: false }]),
        {
          id,
          part,
          text: written,
          sourceIds,
          isAsked: ids.has(id),
          ...(noticed === null ? {} : { noticed }),
        },
      ];
    }),
  };
}

/** The heads of the tables of which rows are shown, by the id of the first of these rows. */
export function tableHeads(text: WrittenText, shown: readonly TextStatement[]): Map<string, string> {
  const heads = new Map<string, string>();
  for (const { id: partId, markdown } of text.parts) {
    const rows = shown.filter((one) => one.partId === partId && one.text.startsWith('|'));
    const lines = markdown.split('\n');
    let head: string | null = null;
    for (const [at, line] of lines.entries()) {
      if (isTableHead(line, lines[at + 1])) head = line;
      const row = head === null ? undefined : rows.find(({ text: written }) => written === line.trim());
      if (row === undefined || head === null) continue;
      heads.set(row.id, head);
      head = null;
    }
  }
  return heads;
}

function noticedOf(words: StatementByWords | undefined, cites: boolean): string | null {
  const [number] = words?.absentNumbers ?? [];
  if (number !== undefined && !cites) return `“${number}” was not found in the sources that the text cites`;
  if (number !== undefined)
    return `“${number}” was not found in what it cites: reject it, or give the calculation or the place`;
  const verdict = words?.verdict;
  return verdict?.verdict === 'contradicted' ? verdict.reason : null;
}

/** Of an item or a row the paragraph that ends with a colon and leads to it; empty where there is none. */
function leadIn(blocks: readonly string[], at: number): string {
  const isPiece = (block: string | undefined): boolean =>
    block !== undefined && (ITEM.test(block) || block.startsWith('|'));
  let from = at;
  while (isPiece(blocks[from])) from -= 1;
  const lead = from < at ? (blocks[from] ?? '') : '';
  return lead.trimEnd().endsWith(':') ? lead : '';
}

/** These statements with the others of their paragraphs, and with what a colon leads to, in order of the text. */
export function withParagraphs(text: WrittenText, ids: ReadonlySet<string>): TextStatement[] {
  return text.parts.flatMap(({ id, markdown }) => {
    const own = text.statements.filter(({ partId }) => partId === id);
    const blocks = blocksIn(markdown);
    const isNamed = (block: string): boolean =>
      own.some((statement) => ids.has(statement.id) && block.includes(statement.text));
    const touched = blocks.filter((block, at) => isNamed(block) || isNamed(leadIn(blocks, at)));
    return own.filter((statement) => touched.some((block) => block.includes(statement.text)));
  });
}
