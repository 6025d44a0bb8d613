import {
  LIMITS_PART,
  SUMMARY_PART,
  type TextChange,
  type TextPart,
  type TextStatement,
  type WrittenText,
} from '../contracts/draft';
import { citedIds, replaceMarks } from '../lib/citation-marks';
import { splitSentences } from '../text/sentences';
import { isSupported } from './decide-statement';

/** Masks a citation mark at equal length, so that full stops in ids do not end sentences. */
const FILLER = '\ue000';
const MARKDOWN_SIGNS = /\*\*|__|(?<![\p{L}\d])[*_]|[*_](?![\p{L}\d])|`|\\(?=[!-/:-@[-`{-~])/gu;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
export const LIST_ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const SUMMARY_TITLE = /^(?:executive )?summary$/i;
const LIMITS_TITLE = /limit|open question|information gap/i;

/**
 * Parses Markdown into parts and statements. `# ` is the title, `## ` begins a part; text before the first part is
 * summary.
 */
export function parseText(markdown: string, question: string): WrittenText {
  const { title, chapters: written } = chaptersOf(markdown);
  const chapters = mergePreface(written);
  let sections = 0;
  const parts = chapters.map(({ heading, lines }, at): TextPart => {
    const isSummary = at === 0 && (heading === null || SUMMARY_TITLE.test(heading));
    const isLimits = at > 0 && at === chapters.length - 1 && LIMITS_TITLE.test(heading ?? '');
    if (!isSummary && !isLimits) sections += 1;
    return {
      id: isSummary ? SUMMARY_PART : isLimits ? LIMITS_PART : `section-${sections}`,
      title: heading ?? 'Executive Summary',
      markdown: lines.join('\n').trim(),
    };
  });
  return textOfParts(title ?? question, parts);
}

/** Builds a text from parts, without verdicts. Empty parts are dropped. */
export function textOfParts(title: string, given: readonly TextPart[]): WrittenText {
  const parts = given.filter((part) => part.markdown !== '');
  const statements = numbered(parts.flatMap(statementsOf));
  return { title, parts, statements, notes: [], changes: [], removed: [], isChecked: false };
}

interface Chapter {
  heading: string | null;
  lines: string[];
}

function mergePreface(chapters: Chapter[]): Chapter[] {
  const [preface, summary, ...rest] = chapters;
  if (preface?.heading !== null || !SUMMARY_TITLE.test(summary?.heading ?? '')) return chapters;
  const text = preface.lines.join('\n').trim();
  return [{ heading: summary?.heading ?? null, lines: [text, ...(summary?.lines ?? [])] }, ...rest];
}

function chaptersOf(markdown: string): { title: string | null; chapters: Chapter[] } {
  let title: string | null = null;
  const chapters: Chapter[] = [{ heading: null, lines: [] }];
  for (const line of markdown.split('\n')) {
    const [, signs = '', text = ''] = /^(#{1,2})\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (signs === '#' && title === null) title = plainText(text);
    else if (signs !== '') chapters.push({ heading: plainText(text), lines: [] });
    else chapters.at(-1)?.lines.push(line);
  }
  return { title, chapters: chapters.filter(({ lines }) => lines.some((line) => line.trim() !== '')) };
}

function numbered(statements: readonly Omit<TextStatement, 'id'>[]): TextStatement[] {
  return statements.map((statement, at) => ({ id: `T${at + 1}`, ...statement }));
}

export function statementsOf({ id: partId, markdown }: TextPart): Omit<TextStatement, 'id'>[] {
  return blocksIn(markdown)
    .flatMap((block) =>
      unitsOf(block).map((text): Omit<TextStatement, 'id'> => ({
        partId,
        text,
        plain: plainText(text),
        sourceIds: [...new Set(citedIds(text))],
        verdict: null,
      })),
    )
    .filter(({ text, plain }) => /\p{L}/u.test(plain) || (text.startsWith('|') && /\d/.test(plain)));
}

/** Blocks separated by blank lines; each list item and table row is a block. */
export function blocksIn(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const isOwn = LIST_ITEM.test(line) || line.startsWith('|') || line.startsWith('#');
    if (line.trim() === '') isOpen = false;
    else if (isOwn || !isOpen) {
      blocks.push(line);
      isOpen = !line.startsWith('|') && !line.startsWith('#');
    } else blocks.push(`${blocks.pop() ?? ''}\n${line}`);
  }
  return blocks.filter((block, at) => !isTableHead(block, blocks[at + 1]) && !TABLE_RULE.test(block));
}

/** Blanks out headings and table heads, so that offsets stay. */
function withoutHeads(markdown: string): string {
  const lines = markdown.split('\n');
  return lines
    .map((line, at) =>
      line.startsWith('#') || isTableHead(line, lines[at + 1]) ? ' '.repeat(line.length) : line,
    )
    .join('\n');
}

export function isTableHead(block: string, next: string | undefined): boolean {
  return block.startsWith('|') && next !== undefined && TABLE_RULE.test(next);
}

function unitsOf(block: string): string[] {
  if (block.startsWith('#')) return [];
  if (block.startsWith('|')) return [block.trim()];
  const marker = LIST_ITEM.exec(block)?.[0] ?? '';
  const text = block.slice(marker.length);
  const masked = replaceMarks(text, (_ids, start, end) => FILLER.repeat(end - start));
  const spans = sentencesIn(masked);
  return spans.flatMap(({ start, end }, at) => {
    const written = text.slice(start, end);
    // A label such as `**On-site jobs.**` belongs to the next sentence.
    const before = spans[at - 1];
    if (before !== undefined && isLabel(text.slice(before.start, before.end))) {
      return [text.slice(before.start, end)];
    }
    return isLabel(written) && at + 1 < spans.length ? [] : [written];
  });
}

/** A citation mark belongs to the sentence before it: `He asked “why?” [@a].` */
function sentencesIn(masked: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of splitSentences(masked)) {
    const before = spans.at(-1);
    if (before !== undefined && masked[start] === FILLER) before.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

function isLabel(text: string): boolean {
  return /^\*\*[^*]+\*\*$/.test(text.trim());
}

export function plainText(text: string): string {
  return replaceMarks(text, () => '')
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/\s*(?<!\\)\|\s*/g, '; ')
    .replace(MARKDOWN_SIGNS, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[.,;:!?)])/g, '')
    .trim();
}

export function textMarkdown({ parts }: Pick<WrittenText, 'parts'>): string {
  return parts.map(({ title, markdown }) => `## ${title}\n\n${markdown}`).join('\n\n');
}

export interface TextEdit {
  statementId: string;
  /** With citation marks; empty to delete the statement. */
  text: string;
  reason: string;
}

export function wrongStatements({ statements }: Pick<WrittenText, 'statements'>): TextStatement[] {
  return statements.filter(isWrong);
}

/** Wrong statements and, in the first round, loosely worded ones. */
export function statementsToMend({ statements, changes }: WrittenText): TextStatement[] {
  return statements.filter(
    (statement) => isWrong(statement) || (changes.length === 0 && isWordingIssue(statement)),
  );
}

/** True for a statement refused for its wording, which is never removed. */
export function isWordingIssue({ verdict, severity }: Pick<TextStatement, 'verdict' | 'severity'>): boolean {
  return (
    severity === 'wording' && verdict !== null && verdict.verdict !== 'unchecked' && !isSupported(verdict)
  );
}

function isWrong({ verdict, severity }: TextStatement): boolean {
  return (
    verdict !== null && verdict.verdict !== 'unchecked' && !isSupported(verdict) && severity !== 'wording'
  );
}

/**
 * Replaces or deletes statements by id; all other text stays byte for byte. New statements have no verdict. Edits of
 * unknown statements are ignored.
 */
export function editText(text: WrittenText, edits: readonly TextEdit[]): WrittenText {
  const byId = new Map(edits.map((edit) => [edit.statementId, edit]));
  const taken = new Set(text.statements.map(({ id }) => id));
  const newId = (id: string): string => {
    let place = 1;
    while (taken.has(`${id}.${place}`)) place += 1;
    taken.add(`${id}.${place}`);
    return `${id}.${place}`;
  };
  const changes: TextChange[] = [];
  const parts: TextPart[] = [];
  const statements: TextStatement[] = [];
  for (const part of text.parts) {
    const own = text.statements.filter(({ partId }) => partId === part.id);
    const edited = editPart(part, own, { byId, newId });
    if (edited.part.markdown !== '') parts.push(edited.part);
    statements.push(...edited.statements);
    changes.push(...edited.changes);
  }
  return { ...text, parts, statements, changes: [...text.changes, ...changes] };
}

function editPart(
  part: TextPart,
  own: readonly TextStatement[],
  { byId, newId }: { byId: ReadonlyMap<string, TextEdit>; newId: (id: string) => string },
): { part: TextPart; statements: TextStatement[]; changes: TextChange[] } {
  const changes: TextChange[] = [];
  const statements: TextStatement[] = [];
  const spans: { start: number; end: number; text: string }[] = [];
  const places = placesOf(part.markdown, own);
  for (const [at, statement] of own.entries()) {
    const edit = byId.get(statement.id);
    const start = places[at] ?? -1;
    const text = edit?.text.trim();
    if (edit === undefined || text === undefined || start < 0 || text === statement.text) {
      statements.push(statement);
      continue;
    }
    const after = text === '' ? null : text;
    changes.push({ partId: part.id, before: statement.text, after, reason: edit.reason });
    spans.push({ start, end: start + statement.text.length, text });
    for (const [place, one] of statementsOf({ ...part, markdown: text }).entries())
      statements.push({ ...one, id: place === 0 ? statement.id : newId(statement.id) });
  }
  if (spans.length === 0) return { part, statements, changes };
  // From the end, so that earlier offsets stay valid.
  const markdown = spans.reduceRight((whole, { start, end, text }) => {
    const before = text === '' ? textBeforeDeletion(whole, start, end) : whole.slice(0, start) + text;
    const rest = whole.slice(end);
    return before + (/(?:^|\n| )$/.test(before) ? rest.replace(/^[ \t]+/, '') : rest);
  }, part.markdown);
  const isShorter = spans.some(({ text }) => text === '');
  return {
    part: { ...part, markdown: isShorter ? withoutEmptyBlocks(markdown) : markdown },
    statements,
    changes,
  };
}

function placesOf(markdown: string, statements: readonly TextStatement[]): number[] {
  const body = withoutHeads(markdown);
  let from = 0;
  return statements.map(({ text }) => {
    const at = body.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at;
  });
}

/** Text before a deleted span, without the list marker of a line that becomes empty. */
function textBeforeDeletion(markdown: string, start: number, end: number): string {
  const before = markdown.slice(0, start);
  const opensLine = /(?:^|\n)\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?$/.test(before);
  const closesLine = /^\s*(?:\n|$)/.test(markdown.slice(end));
  if (!opensLine) return before.replace(/[ \t]+$/, '');
  return closesLine ? before.replace(/(?:^|\n)[^\n]*$/, '') : before;
}

function withoutEmptyBlocks(markdown: string): string {
  const kept: string[] = [];
  let next = '';
  let isHeadEmpty = false;
  for (const line of markdown.split('\n').reverse()) {
    const isRule = TABLE_RULE.test(line);
    const isDropped: boolean =
      isHeadEmpty || isEmptyHeading(line, next) || (isRule && kept.at(-1)?.startsWith('|') !== true);
    isHeadEmpty = isDropped && isRule;
    if (isDropped) continue;
    kept.push(line);
    if (line.trim() !== '') next = line;
  }
  return kept
    .reverse()
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function isEmptyHeading(line: string, next: string): boolean {
  const level = levelOf(line);
  return level > 0 && (next === '' || (levelOf(next) > 0 && levelOf(next) <= level));
}

function levelOf(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

export function removeWrongStatements(text: WrittenText): WrittenText {
  const wrong = wrongStatements(text);
  if (wrong.length === 0) return text;
  const edited = editText(
    text,
    wrong.map(({ id, verdict }) => ({ statementId: id, text: '', reason: verdict?.reason ?? '' })),
  );
  const removed = wrong.flatMap(({ partId, plain, sourceIds, verdict }) =>
    verdict === null ? [] : [{ ...verdict, partId, text: plain, sourceIds }],
  );
  return { ...edited, removed: [...text.removed, ...removed] };
}
