import {
  LIMITS_PART,
  SUMMARY_PART,
  type TextPart,
  type TextStatement,
  type WrittenText,
} from '../../contracts/report/written-text';
import { splitSentences } from '../../language/sentences';
import { citedIds, replaceMarks } from '../text/citation-marks';

/** Stands for a citation mark, as long as the mark: the stops of an id end no sentence. */
const FILLER = '\ue000';
const MARKDOWN_SIGNS = /\*\*|__|(?<![\p{L}\d])[*_]|[*_](?![\p{L}\d])|`|\\(?=[!-/:-@[-`{-~])/gu;
export const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
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
export function withoutHeads(markdown: string): string {
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
