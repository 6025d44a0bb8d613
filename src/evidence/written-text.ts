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
import { stands } from './decide-statement';

/** Stands for a citation mark, as long as the mark: the stops of an id end no sentence. */
const FILLER = '\ue000';
const MARKDOWN_SIGNS = /\*\*|__|(?<![\p{L}\d])[*_]|[*_](?![\p{L}\d])|`|\\(?=[!-/:-@[-`{-~])/gu;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** The marker of an item of a list. */
export const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const SUMMARY_TITLE = /^(?:executive )?summary$/i;
const LIMITS_TITLE = /limit|open question|information gap/i;

/**
 * Reads the Markdown of a whole text into parts and statements. `# ` is the title, `## ` begins a part. Text before the first
 * part belongs to the summary. Pure.
 */
export function readText(markdown: string, question: string): WrittenText {
  const { title, chapters: written } = chaptersOf(markdown);
  const chapters = withPreface(written);
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

/** A text of these parts with its statements; nothing is audited. An empty part is none. Pure. */
export function textOfParts(title: string, given: readonly TextPart[]): WrittenText {
  const parts = given.filter((part) => part.markdown !== '');
  const statements = numbered(parts.flatMap(statementsOf));
  return { title, parts, statements, notes: [], changes: [], removed: [], isChecked: false };
}

interface Chapter {
  heading: string | null;
  lines: string[];
}

/** Text before the summary's heading opens the summary. */
function withPreface(chapters: Chapter[]): Chapter[] {
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

/** The statements of a part, in order: sentences of paragraphs and items, rows of tables. Headings are none. */
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

/** What blank lines part; an item and a row of a table are blocks of their own. */
export function blocksIn(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const isOwn = ITEM.test(line) || line.startsWith('|') || line.startsWith('#');
    if (line.trim() === '') isOpen = false;
    else if (isOwn || !isOpen) {
      blocks.push(line);
      isOpen = !line.startsWith('|') && !line.startsWith('#');
    } else blocks.push(`${blocks.pop() ?? ''}\n${line}`);
  }
  return blocks.filter((block, at) => !isTableHead(block, blocks[at + 1]) && !TABLE_RULE.test(block));
}

/** The same with spaces for headings and heads of tables, so that each statement keeps its place. */
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

/** The sentences of a block as they are written. */
function unitsOf(block: string): string[] {
  if (block.startsWith('#')) return [];
  if (block.startsWith('|')) return [block.trim()];
  const marker = ITEM.exec(block)?.[0] ?? '';
  const text = block.slice(marker.length);
  const masked = replaceMarks(text, (_ids, start, end) => FILLER.repeat(end - start));
  const spans = sentencesIn(masked);
  return spans.flatMap(({ start, end }, at) => {
    const written = text.slice(start, end);
    // A label such as `**On-site jobs.**` belongs to the sentence behind it.
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

/** A text without citation marks and Markdown, on one line. */
export function plainText(text: string): string {
  return replaceMarks(text, () => '')
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/\s*(?<!\\)\|\s*/g, '; ')
    .replace(MARKDOWN_SIGNS, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[.,;:!?)])/g, '')
    .trim();
}

/** The parts of a text under their headings, without its title. */
export function textMarkdown({ parts }: Pick<WrittenText, 'parts'>): string {
  return parts.map(({ title, markdown }) => `## ${title}\n\n${markdown}`).join('\n\n');
}

export interface TextEdit {
  statementId: string;
  /** With citation marks; empty to delete the statement. */
  text: string;
  reason: string;
}

/** The statements that are to be taken out if nothing mends them: what is wrong, and no mere wording. */
export function wrongStatements({ statements }: Pick<WrittenText, 'statements'>): TextStatement[] {
  return statements.filter(isWrong);
}

/** What a writer is asked to mend: what is wrong, and, the first time, what says a little more than its sources. */
export function statementsToMend({ statements, changes }: WrittenText): TextStatement[] {
  return statements.filter((statement) => isWrong(statement) || (changes.length === 0 && isLoose(statement)));
}

/** True for a statement that is refused for its wording: nobody decides otherwise for it. */
export function isLoose({ verdict, severity }: Pick<TextStatement, 'verdict' | 'severity'>): boolean {
  return severity === 'wording' && verdict !== null && verdict.verdict !== 'unchecked' && !stands(verdict);
}

function isWrong({ verdict, severity }: TextStatement): boolean {
  return verdict !== null && verdict.verdict !== 'unchecked' && !stands(verdict) && severity !== 'wording';
}

/**
 * Replaces or deletes statements by their ids; everything else stays byte for byte. Statements of the new text have no verdict.
 * An edit of an unknown statement is ignored. Pure.
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
  // From the end, so that the places of the others stay.
  const markdown = spans.reduceRight((whole, { start, end, text }) => {
    const before = text === '' ? keptBefore(whole, start, end) : whole.slice(0, start) + text;
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

/** Where each statement begins; a heading or the head of a table may have the same words. */
function placesOf(markdown: string, statements: readonly TextStatement[]): number[] {
  const body = withoutHeads(markdown);
  let from = 0;
  return statements.map(({ text }) => {
    const at = body.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at;
  });
}

/** The text before a deleted span, without the line's marker where nothing else is on the line. */
function keptBefore(markdown: string, start: number, end: number): string {
  const before = markdown.slice(0, start);
  const opensLine = /(?:^|\n)\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?$/.test(before);
  const closesLine = /^\s*(?:\n|$)/.test(markdown.slice(end));
  if (!opensLine) return before.replace(/[ \t]+$/, '');
  return closesLine ? before.replace(/(?:^|\n)[^\n]*$/, '') : before;
}

/** A heading with nothing under it and the head of a table without rows go with their last statement. */
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

/** 0 for a line that is no heading. */
function levelOf(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

/** Takes out the statements that are still wrong, and lists them. Pure. */
export function withoutWrong(text: WrittenText): WrittenText {
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
