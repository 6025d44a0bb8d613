import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_USAGE } from '../contracts/budget';
import type { TextStatement, WrittenText } from '../contracts/draft';
import type { ClaimVerdict, Evidence } from '../contracts/finding';
import { capabilitiesOf } from '../contracts/pipeline';
import { eventKey, type EventPlace } from '../contracts/run-protocol';
import type { Passage, SourceWindow } from '../contracts/source';
import { preparePassages } from '../evidence/claim-passages';
import { absentNumbers, withNumbers } from '../evidence/claim-tokens';
import { countVerdicts, decideStatement, type LexicalFindings } from '../evidence/decide-statement';
import { verifyPrepared } from '../evidence/verify-claim';
import {
  blocksIn,
  isTableHead,
  LIST_ITEM,
  removeWrongStatements,
  statementsToMend,
} from '../evidence/written-text';
import { citationMark, replaceMarks } from '../lib/citation-marks';
import { groupBy } from '../lib/iterables';
import type { GivenSource } from '../report/statement-verdicts';
import { auditText as auditTextStep, type AuditTextInput, type AuditTextOutput } from '../steps/audit-text';
import { terms } from '../text/words';
import type { ActivityPorts, RunContext } from './ports';
import { runStep, type UsageAndWarnings } from './run-step';

export type TextPlace = Pick<EventPlace, 'pass' | 'section'> & { revision: number };

export interface StatementsToAudit {
  asked: TextStatement[];
  /** Those and the rest of their paragraphs, in text order. */
  shown: TextStatement[];
  sourceIds: Set<string>;
}

/** A statement without citations rests on the sources of its part, else on those of the whole text. */
export function withFallbackSources(
  text: WrittenText,
  { partId, plain, sourceIds }: TextStatement,
): CitedText {
  if (sourceIds.length > 0) return { plain, sourceIds };
  const citedIn = (statements: readonly TextStatement[]): string[] => [
    ...new Set(statements.flatMap((one) => one.sourceIds)),
  ];
  const ofPart = citedIn(text.statements.filter((one) => one.partId === partId));
  return { plain, sourceIds: ofPart.length > 0 ? ofPart : citedIn(text.statements) };
}

export function statementsToAudit(text: WrittenText, only?: readonly string[]): StatementsToAudit {
  const asked = text.statements.filter(({ id }) => only === undefined || only.includes(id));
  const shown = only === undefined ? text.statements : withParagraphs(text, new Set(only));
  const cited = shown.flatMap(({ sourceIds }) => sourceIds);
  const restedOn = asked.flatMap((statement) => withFallbackSources(text, statement).sourceIds);
  return { asked, shown, sourceIds: new Set([...cited, ...restedOn]) };
}

export interface StatementAuditInput extends Pick<StatementsToAudit, 'asked' | 'shown'> {
  text: WrittenText;
  sources: SourceWindow[];
  /** Full texts of the cited sources, for lexical checks. */
  cited: SourceWindow[];
  /** Source ids, grouped by work. */
  works: string[][];
  asksNotes: boolean;
  removesWrong: boolean;
}

export interface AuditedStatements extends UsageAndWarnings {
  text: WrittenText;
  kept: WrittenText;
  wrong: number;
}

/** Lexical findings guide the critic, and the critic decides. */
export async function auditStatements(
  ports: ActivityPorts,
  run: RunContext,
  { text, asked, shown, cited, removesWrong, ...material }: StatementAuditInput,
  at: { place: TextPlace; signal: AbortSignal },
): Promise<AuditedStatements> {
  const byWords = await checkLexically(asked, cited, run.question);
  const said =
    capabilitiesOf(run.engine).asksModels && asked.length > 0
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
    kept: removesWrong ? removeWrongStatements(audited) : audited,
    wrong: statementsToMend(audited).length,
    usage: said.usage,
    warnings: said.warnings,
  };
}

/** After a removal only citing statements count: introductions alone are no text. */
export function remainingStatements({ statements, removed, changes }: WrittenText): TextStatement[] {
  const isCut = removed.length > 0 || changes.some(({ after }) => after === null);
  return isCut ? statements.filter(({ sourceIds }) => sourceIds.length > 0) : statements;
}

export async function recordAudit(
  { events }: Pick<ActivityPorts, 'events'>,
  run: Pick<RunContext, 'runId'>,
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

/** Yields between statements, because checks over long sources take longer than the heartbeat timeout. */
async function checkLexically(
  statements: readonly TextStatement[],
  sources: readonly SourceWindow[],
  question: string,
): Promise<Map<string, LexicalFindings>> {
  const bySource = new Map(
    sources.map((source) => {
      const { sourceId, title, author = '', publishedAt = '', site = '' } = source;
      return [sourceId, { source, about: [title, author, publishedAt, site].filter((one) => one !== '') }];
    }),
  );
  const found = new Map<string, LexicalFindings>();
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

function missingNumbers(plain: string, texts: readonly string[]): string[] {
  const digits = new Set(texts.flatMap(digitsIn));
  return absentNumbers(plain, withNumbers(texts)).filter(
    (number) => !/\d/.test(number) || !digitsIn(number).every((one) => digits.has(one)),
  );
}

/** Digits without separators or units: `100,000`, `100 000` and `100.000` all give `100000`. */
function digitsIn(text: string): string[] {
  // PDF text may have `3, 154`, which is one number or two.
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
    Pick<StatementsToAudit, 'asked' | 'shown'> & { byWords: ReadonlyMap<string, LexicalFindings> },
): AuditTextInput {
  const titles = new Map(text.parts.map(({ id, title }) => [id, title]));
  const ids = new Set(asked.map(({ id }) => id));
  const heads = tableHeads(text, shown);
  return {
    ...rest,
    statements: shown.flatMap(({ id, partId, text: written, sourceIds }) => {
      const noticed = criticHint(byWords.get(id), sourceIds.length > 0);
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

/** By the id of the first shown row of each table. */
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

function criticHint(words: LexicalFindings | undefined, cites: boolean): string | null {
  const [number] = words?.absentNumbers ?? [];
  if (number !== undefined && !cites) return `“${number}” was not found in the sources that the text cites`;
  if (number !== undefined)
    return `“${number}” was not found in what it cites: reject it, or give the calculation or the place`;
  const verdict = words?.verdict;
  return verdict?.verdict === 'contradicted' ? verdict.reason : null;
}

/** The paragraph that introduces a list or table with a colon; empty if there is none. */
function introParagraph(blocks: readonly string[], at: number): string {
  const isPiece = (block: string | undefined): boolean =>
    block !== undefined && (LIST_ITEM.test(block) || block.startsWith('|'));
  let from = at;
  while (isPiece(blocks[from])) from -= 1;
  const lead = from < at ? (blocks[from] ?? '') : '';
  return lead.trimEnd().endsWith(':') ? lead : '';
}

/** Includes the rest of their paragraphs and the lists that these introduce, in text order. */
export function withParagraphs(text: WrittenText, ids: ReadonlySet<string>): TextStatement[] {
  return text.parts.flatMap(({ id, markdown }) => {
    const own = text.statements.filter(({ partId }) => partId === id);
    const blocks = blocksIn(markdown);
    const isNamed = (block: string): boolean =>
      own.some((statement) => ids.has(statement.id) && block.includes(statement.text));
    const touched = blocks.filter((block, at) => isNamed(block) || isNamed(introParagraph(blocks, at)));
    return own.filter((statement) => touched.some((block) => block.includes(statement.text)));
  });
}

/** Paragraphs per source and statement, in addition to those with known quotes. */
const NEAREST_PARAGRAPHS = 5;

export interface CitedText {
  plain: string;
  sourceIds: readonly string[];
}

/** Paragraphs with quotes or nearest to the statements, in order; the first one if there are none. */
export function selectPassages(
  sources: readonly SourceWindow[],
  statements: readonly CitedText[],
  quotes: readonly Evidence[],
): SourceWindow[] {
  return sources.map((source) => {
    const chosen = new Set<Passage>();
    for (const quote of quotes) {
      if (quote.sourceId !== source.sourceId) continue;
      for (const passage of source.passages)
        if (passage.start < quote.end && quote.start < passage.end) chosen.add(passage);
    }
    const words = source.passages.map(({ text }) => new Set(terms(text)));
    for (const { plain, sourceIds } of statements) {
      if (!sourceIds.includes(source.sourceId)) continue;
      const own = new Set(terms(plain));
      const shared = source.passages.map((passage, at) => ({
        passage,
        count: [...own].filter((word) => words[at]?.has(word) === true).length,
      }));
      for (const { passage, count } of shared.sort((a, b) => b.count - a.count).slice(0, NEAREST_PARAGRAPHS))
        if (count > 0) chosen.add(passage);
    }
    const passages = source.passages.filter((passage) => chosen.has(passage));
    return { ...source, passages: passages.length > 0 ? passages : source.passages.slice(0, 1) };
  });
}

/** A sentence of an external text without lexical support. */
export interface UnresolvedSentence {
  plain: string;
  evidence: readonly Evidence[];
  byWords: ClaimVerdict;
}

type DescribedSource = Omit<GivenSource, 'content' | 'url'>;

/** The id of each statement is its index. `question` is empty if unknown. */
export function criticInput(
  open: readonly UnresolvedSentence[],
  sources: readonly DescribedSource[],
  question: string,
): AuditTextInput {
  const evidence = open.flatMap((sentence) => sentence.evidence);
  return {
    question,
    sources: evidenceWindows(evidence, sources),
    statements: open.map(({ plain, byWords, ...sentence }, place) => {
      const sourceIds = evidenceSourceIds(sentence.evidence);
      return {
        id: `${place}`,
        part: '',
        // Citation marks in an external text do not refer to our sources.
        text: `${replaceMarks(plain, () => '')} ${citationMark(sourceIds)}`,
        sourceIds,
        isAsked: true,
        ...(byWords.verdict === 'unchecked' ? {} : { noticed: byWords.reason }),
      };
    }),
    works: [],
    asksNotes: false,
  };
}

/** Falls back to the lexical verdict if the critic does not decide. */
export function criticVerdicts(
  open: readonly UnresolvedSentence[],
  { question, sources }: Pick<AuditTextInput, 'question' | 'sources'>,
  { verdicts }: AuditTextOutput,
): ClaimVerdict[] {
  const said = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return open.map(({ plain, evidence, byWords }, place) => {
    const sourceIds = evidenceSourceIds(evidence);
    const cited = sources.filter(({ sourceId }) => sourceIds.includes(sourceId));
    const about = cited.flatMap(({ title, author = '', publishedAt = '', site = '' }) => [
      title,
      author,
      publishedAt,
      site,
    ]);
    const texts = [question, ...about, ...evidence.map(({ quote }) => quote)];
    // Only the lexical verdict has seen the whole sources.
    const absentNumbers = byWords.code === 'number-absent' ? missingNumbers(plain, texts) : [];
    const words = { verdict: byWords, absentNumbers, texts };
    const { verdict } = decideStatement({ sourceIds }, said.get(`${place}`), words);
    return verdict === null || verdict.verdict === 'unchecked'
      ? byWords
      : { ...verdict, evidence: verdict.evidence ?? byWords.evidence };
  });
}

function evidenceSourceIds(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.map(({ sourceId }) => sourceId))];
}

function evidenceWindows(evidence: readonly Evidence[], sources: readonly DescribedSource[]): SourceWindow[] {
  const described = new Map(sources.map(({ id, ...source }) => [id, source]));
  return [...groupBy(evidence, ({ sourceId }) => sourceId)].map(([sourceId, all]) => {
    const { title = '', author, site, publishedAt } = described.get(sourceId) ?? {};
    const longestFirst = [...all].sort((one, other) => one.start - other.start || other.end - one.end);
    let end = -1;
    const passages = longestFirst.flatMap(({ quote: text, ...span }) => {
      if (span.end <= end) return [];
      end = span.end;
      return [{ text, start: span.start, end, headings: [] }];
    });
    return {
      sourceId,
      title,
      author,
      site,
      publishedAt,
      quality: { level: 'general', reason: '' },
      summaryOnly: false,
      passages,
    };
  });
}
