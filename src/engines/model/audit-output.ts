import { z } from 'zod';
import { MAX_OUTPUT_TOKENS, maxAuditTokens } from '../../contracts/budget';
import { type AuditedStatement, AuditVerdict, TextNote } from '../../contracts/draft';
import type { Evidence } from '../../contracts/finding';
import type { SourceWindow } from '../../contracts/source';
import { createQuoteFinder } from '../../evidence/locate-quote';
import { citationMark } from '../../lib/citation-marks';
import { distinctBy } from '../../lib/iterables';
import {
  type AuditTextInput,
  type AuditTextOutput,
  type MendTextInput,
  type MendTextOutput,
  statementShortIds,
} from '../../steps/audit-text';
import { nameSource, type ShortIds, sourceShortIds } from '../../steps/material';
import { citationRewriter, cleanMarkdown, SHORT_IDS } from './clean-markdown';
import { createInjectionCheck, lacksAssertion, plainLine, shortLine } from './grounding';
import {
  type AnswerFormat,
  fieldOf,
  halves,
  type ParseResult,
  unansweredItems,
  unreadableAnswer,
} from './model-step';

const Quoted = z.object({ source: z.string(), quote: z.string() });
const Item = z.object({
  sentence: z.string(),
  verdict: AuditVerdict,
  severity: z.enum(['wrong', 'wording']),
  quotes: z.array(Quoted),
  without: z.array(z.string()),
  calculation: z.string(),
  reason: z.string(),
});
const Note = z.object({ kind: TextNote.shape.kind, text: z.string(), sentences: z.array(z.string()) });
const Answer = z.object({ verdicts: z.array(Item), notes: z.array(Note) });

/** Lenient: a missing or unknown field does not discard the verdict. */
const LenientVerdictItem = z.object({
  sentence: z.string(),
  verdict: z
    .string()
    .transform((word) => word.toLowerCase().trim().replace('partial', 'overstated'))
    .pipe(AuditVerdict),
  severity: z.enum(['wrong', 'wording']).catch('wrong'),
  quotes: z.array(Quoted.extend({ source: z.string().catch('') })).catch([]),
  without: z.array(z.string()).catch([]),
  calculation: z.string().catch(''),
  reason: z.string().catch(''),
});
const LenientNote = Note.extend({ sentences: z.array(z.string()).catch([]) });

/** Shorter quotes occur in any text. */
const MIN_QUOTED_WORDS = 4;
const MAX_REASON_CHARS = 300;
const MAX_NOTES = 3;

export const auditTextAnswer: AnswerFormat<AuditTextInput, AuditTextOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: ({ statements }) => maxAuditTokens(statements.length),
  toOutput: readAudit,
  smaller(input) {
    return (halves(input.statements) ?? []).map((statements, at) => {
      const cited = new Set(statements.flatMap(({ sourceIds }) => sourceIds));
      const sources = input.sources.filter(({ sourceId }) => cited.has(sourceId));
      return { ...input, statements, sources, asksNotes: input.asksNotes && at === 0 };
    });
  },
  whatIsLeft(input, answer) {
    const ids = statementShortIds(input);
    const done = verdictItems(answer).map(({ sentence }) => ids.idOf(sentence));
    const statements = unansweredItems(input.statements, done, ({ id }) => id);
    return statements === null ? null : { ...input, statements, asksNotes: false };
  },
  withoutSources: removeSources,
  merge: (_input, parts) => ({
    verdicts: distinctBy(
      parts.flatMap(({ output }) => output.verdicts),
      ({ id }) => id,
    ),
    notes: parts.flatMap(({ output }) => output.notes).slice(0, MAX_NOTES),
  }),
};

function removeSources<Input extends { sources: SourceWindow[] }>(
  input: Input,
  ids: ReadonlySet<string>,
): Input {
  return { ...input, sources: input.sources.filter(({ sourceId }) => !ids.has(sourceId)) };
}

function verdictItems(answer: unknown): z.infer<typeof LenientVerdictItem>[] {
  const list = Array.isArray(answer) ? (answer as unknown[]) : fieldOf(answer, 'verdicts');
  return Array.isArray(list) ? list.flatMap((value) => LenientVerdictItem.safeParse(value).data ?? []) : [];
}

/** Sentences without a readable verdict get none; the critic is not asked again. */
function readAudit(input: AuditTextInput, answer: unknown): ParseResult<AuditTextOutput> {
  const items = verdictItems(answer);
  const asked = input.statements.filter(({ isAsked }) => isAsked);
  if (items.length === 0 && asked.length > 0)
    return unreadableAnswer('the answer has no list "verdicts"', 'answer-incomplete');
  const sources = sourceShortIds(input.sources);
  const ids = statementShortIds(input);
  const statements = new Map(asked.map((statement) => [statement.id, statement]));
  const finder = createQuoteFinder(input.sources);
  const obeyed = createInjectionCheck(input.sources);
  const verdicts = items.flatMap((item): AuditedStatement[] => {
    const statement = statements.get(ids.idOf(item.sentence) ?? '');
    if (statement === undefined) return [];
    const quotes = item.quotes.flatMap(({ source, quote }) => {
      if (quote.trim().split(/\s+/).length < MIN_QUOTED_WORDS) return [];
      const located = finder.locate(quote, sources.idOf(source));
      if (located === null || located.match === 'fuzzy') return [];
      const { evidence } = located;
      const isCited = statement.sourceIds.length === 0 || statement.sourceIds.includes(evidence.sourceId);
      return isCited && !isInstructionQuote(evidence, input.sources) ? [evidence] : [];
    });
    const cited = input.sources.filter(({ sourceId }) => statement.sourceIds.includes(sourceId));
    const namesSource = item.quotes.some(({ quote }) => cited.some((source) => isSourceName(quote, source)));
    const bearing = new Set(quotes.map(({ sourceId }) => sourceId));
    const named = new Set(item.without.flatMap((name) => sources.idOf(name) ?? []));
    const without = statement.sourceIds.filter((id) => named.has(id) && !bearing.has(id));
    const isNamed = without.length > 0 && without.length < statement.sourceIds.length;
    return [
      {
        id: statement.id,
        verdict: item.verdict,
        severity: item.severity,
        quotes: distinctBy(quotes, ({ sourceId, start, end }) => `${sourceId}@${start}-${end}`),
        ...(namesSource ? { namesSource } : {}),
        ...(isNamed ? { without } : {}),
        calculation: item.calculation,
        reason: obeyed(item.reason)
          ? ''
          : withCitations(shortLine(item.reason.replace(/\[(S\d{1,6})\]/g, '$1'), MAX_REASON_CHARS), sources),
      },
    ];
  });
  const list = fieldOf(answer, 'notes');
  const notes = (Array.isArray(list) ? list : []).flatMap((value): TextNote[] => {
    const note = LenientNote.safeParse(value).data;
    const text = note === undefined ? '' : plainLine(note.text.replace(/\[(S\d{1,6})\]/g, '$1'));
    if (note === undefined || text === '' || obeyed(note.text)) return [];
    const statementIds = note.sentences.flatMap((name) => ids.idOf(name) ?? []).slice(0, 3);
    return statementIds.length === 0
      ? []
      : [{ kind: note.kind, text: withCitations(text, sources), statementIds }];
  });
  const output = {
    verdicts: distinctBy(verdicts, ({ id }) => id),
    notes: input.asksNotes ? notes.slice(0, MAX_NOTES) : [],
  };
  return { output, problems: [], warnings: [], parts: verdicts.length };
}

/** A quote from the middle of a sentence is no instruction, whatever its first word. */
function isInstructionQuote({ sourceId, start, quote }: Evidence, sources: readonly SourceWindow[]): boolean {
  const passage = sources
    .find((source) => source.sourceId === sourceId)
    ?.passages.find((one) => one.start <= start && start < one.end);
  const before = passage?.text.slice(0, start - passage.start).trimEnd() ?? '';
  return lacksAssertion(/[\p{L}\p{N},;]$/u.test(before) ? `… ${quote}` : quote);
}

/** True for words of a source's title, authors, site or date. */
function isSourceName(quote: string, source: SourceWindow): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return (
    plain(quote).split(' ').length >= MIN_QUOTED_WORDS && plain(nameSource(source)).includes(plain(quote))
  );
}

function withCitations(text: string, sources: ShortIds): string {
  return text.replace(/\[?\b(S\d{1,6})\b\]?/g, (written, name: string) => {
    const id = sources.idOf(name);
    return id === undefined ? written : citationMark([id]);
  });
}

const Edit = z.object({ sentence: z.string(), text: z.string() });

export const mendTextAnswer: AnswerFormat<MendTextInput, MendTextOutput> = {
  schema: z.object({ edits: z.array(Edit) }),
  maxOutputTokens: ({ faults }) => Math.min(MAX_OUTPUT_TOKENS.mendText, 800 + 200 * faults.length),
  toOutput: readEdits,
  smaller(input) {
    return (halves(input.faults) ?? []).map((faults) => ({ ...input, faults }));
  },
  withoutSources: removeSources,
  merge: (_input, parts) => ({
    edits: distinctBy(
      parts.flatMap(({ output }) => output.edits),
      ({ statementId }) => statementId,
    ),
  }),
};

/** Only sentences that a fault names, and the next one in the paragraph, may change. */
function readEdits(input: MendTextInput, answer: unknown): ParseResult<MendTextOutput> {
  const list = Array.isArray(answer) ? (answer as unknown[]) : fieldOf(answer, 'edits');
  if (!Array.isArray(list)) return unreadableAnswer('the answer has no list "edits"', 'answer-incomplete');
  const ids = statementShortIds(input);
  const sources = sourceShortIds(input.sources);
  const named = new Set(input.faults.flatMap(({ statementIds }) => statementIds));
  const mayChange = input.statements.flatMap(({ id, part, block }, at) => {
    const before = input.statements[at - 1];
    const isBehind = before?.part === part && before.block === block && named.has(before.id);
    return named.has(id) || isBehind ? [id] : [];
  });
  const obeyed = createInjectionCheck(input.sources);
  const rows = new Set(input.statements.flatMap(({ id, text }) => (text.startsWith('|') ? [id] : [])));
  const idOf = (name: string): string | undefined => sources.idOf(name);
  const read = input.sources.flatMap(({ passages }) => passages.map(({ text }) => text));
  const forms = citationRewriter(idOf, SHORT_IDS, read);
  const clean = (text: string): string => cleanMarkdown(text, idOf, SHORT_IDS, forms).markdown;
  const edits = list.flatMap((value) => {
    const edit = Edit.safeParse(value).data;
    const statementId = ids.idOf(edit?.sentence ?? '');
    if (edit === undefined || statementId === undefined || !mayChange.includes(statementId)) return [];
    const text = rows.has(statementId) ? cleanRow(edit.text, clean) : clean(withoutMarker(edit.text));
    return obeyed(text) ? [] : [{ statementId, text: text.replace(/\s*\n\s*/g, ' ') }];
  });
  return { output: { edits }, problems: [], warnings: [], parts: edits.length };
}

/** Headings are not audited. */
function withoutMarker(text: string): string {
  return text.trim().replace(/^(?:[-*+>]|\d{1,3}[.)]|#{1,6})\s+/, '');
}

/** A row needs a table head to parse as Markdown. */
function cleanRow(row: string, clean: (markdown: string) => string): string {
  if (row.trim() === '') return '';
  const bars = row.trim().replace(/^\|?/, '|').replace(/\|?$/, '|');
  const columns = bars.split(/(?<!\\)\|/).length - 2;
  const head = `|${' x |'.repeat(columns)}\n|${' --- |'.repeat(columns)}`;
  return clean(`${head}\n${bars}`).split('\n')[2] ?? '';
}
