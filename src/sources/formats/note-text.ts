import { decodeString } from 'micromark-util-decode-string';
import { append } from '../../lib/iterables';
import { toSuperscript } from './document-text';
import { finishLine, markLowered, markRaised } from './office-text';
import { MAX_DOCUMENT_CHARS, UnfitDocument } from './parsed-document';
import { type TableRow, tableText } from './tables';

// Markdown as Obsidian and others write it: links, embeds, marks, comments, callouts, block ids and tables as plain text.

export interface NoteText {
  text: string;
  remarks: string[];
}

/** Text without any of these comes back as it is, with its line ends. Code stays untouched. */
export function noteText(markdown: string): NoteText {
  const given = markdown.replace(/\r\n?/g, '\n');
  const { text: masked, codes } = maskCode(given.replaceAll(MASK, ''));
  const read = readLines(plainMarks(masked));
  const text = read.text.replace(MASKED, (_whole, at: string, cell: string) => {
    const code = codes[Number(at)] ?? '';
    return cell === '' ? code : code.replaceAll('\\|', '|');
  });
  return { text: text === given ? markdown : text, remarks: read.remarks };
}

/** No link inside of code (`x[[1]]`), and none that is itself the label of a link (`[[1]](https://…)`). */
const WIKILINK = /(?<![\w!])\[\[([^[\]\n|\\]*)(?:\\?\|([^[\]\n]*))?\]\](?!\()/g;

/** `[[page|text]]` becomes `text`, `[[page#heading]]` becomes `page > heading`. */
export function wikilinkTexts(text: string): string {
  return text.replace(WIKILINK, (_link, target: string, label: string | undefined = '') => {
    const parts = target.split('#').filter((part) => part !== '' && !part.startsWith('^'));
    return label.trim() === '' ? parts.map((part) => part.trim()).join(' > ') : label.trim();
  });
}

const MASK = '\u0000';
/** With a bar for code in a cell of a table, where bars are escaped. */
const MASKED = /\u0000(\d+)(\|?)\u0000/g;

/** Fences may stand in quotations and lists. */
const CODE_OR_COMMENT =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)$|(`+)|%%|<!--/gm;

const MAX_SPACE = 200;

/** Takes comments out and puts marks in place of code. A comment without an end is text. */
function maskCode(text: string): { text: string; codes: string[] } {
  const codes: string[] = [];
  const unclosed = new Set<string>();
  const pieces: string[] = [];
  let done = 0;
  const finder = new RegExp(CODE_OR_COMMENT);
  for (let match = finder.exec(text); match !== null; match = finder.exec(text)) {
    const { index } = match;
    const [found, ticks, waves, inline] = match;
    const fence = ticks ?? waves;
    if (fence === undefined && inline === undefined) {
      if (isInIndentedCode(text, index)) continue;
      const close = found === '%%' ? '%%' : '-->';
      const end = unclosed.has(close) ? -1 : text.indexOf(close, index + found.length);
      if (end < 0) {
        unclosed.add(close);
        continue;
      }
      const before = text.slice(done, index);
      done = end + close.length;
      // Neither an empty line nor two spaces stay behind.
      const [space = ''] = /^[ \t]*\n?/.exec(text.slice(done, done + MAX_SPACE)) ?? [];
      const isAlone =
        space.endsWith('\n') &&
        /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', index - 1) + 1, index).slice(-MAX_SPACE));
      if (isAlone) done += space.length;
      pieces.push(space === '' || isAlone ? before : before.replace(/[ \t]+$/, ''));
      finder.lastIndex = done;
      continue;
    }
    const end =
      fence === undefined
        ? endOfInline(text, index + found.length, found.length)
        : endOfFence(text, index + found.length, fence);
    if (end === null) continue;
    pieces.push(text.slice(done, index), `${MASK}${codes.length}${MASK}`);
    codes.push(text.slice(index, end));
    done = end;
    finder.lastIndex = end;
  }
  return { text: pieces.join('') + text.slice(done), codes };
}

const MAX_ABOVE = 2_000;

/** In a line indented by four spaces or a tab, below a blank line and no item of a list or footnote. */
function isInIndentedCode(text: string, index: number): boolean {
  const lines = text.slice(Math.max(0, index - MAX_ABOVE), index).split('\n');
  if (lines.length < 2 || !/^(?: {4}|\t)/.test(lines.pop() ?? '')) return false;
  const above = lines.findLastIndex((line) => /^ {0,3}\S/.test(line));
  return lines[above + 1]?.trim() === '' && /^[^\s\-*+\d[>]/.test(lines[above] ?? '');
}

/** End of the fenced block; without a closing fence the end of the text. */
function endOfFence(text: string, from: number, fence: string): number {
  const close = new RegExp(`^[ \\t>]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'gm');
  close.lastIndex = from;
  const match = close.exec(text);
  return match === null ? text.length : match.index + match[0].length;
}

const MAX_CODE = 1_000;

/** End of code that closes in its line with as many ticks; null if it does not. */
function endOfInline(text: string, from: number, ticks: number): number | null {
  const [line = ''] = text.slice(from, from + MAX_CODE).split('\n', 1);
  for (const { 0: run, index } of line.matchAll(/`+/g)) if (run.length === ticks) return from + index + ticks;
  return null;
}

const EMBED = /!\[\[[^[\]\n]*\]\]/g;
const HIGHLIGHT = /(?<!=)==(?=[^\s=])((?:[^=\n]|=(?!=)){1,2000}?)(?<=\S)==(?!=)/g;

function plainMarks(text: string): string {
  return plainSigns(wikilinkTexts(text.replace(EMBED, '')).replace(HIGHLIGHT, '$1'));
}

/** Letters and signs, which are notes behind figures: `a`, `ab`, `**`. */
const NOTE_MARK = '(?:[a-h]{1,4}|[i-mo-z]|[*†‡§¶#]{1,3})';
const TAG_FRACTION =
  /(\d?)<sup>\s*(\d{1,9})\s*<\/sup>\s*(?:[/⁄∕]|&frasl;|&#8260;)\s*<sub>\s*(\d{1,9})\s*<\/sub>/gi;
const RAISED = new RegExp(`(?<!\\\\)<sup>(?!${NOTE_MARK}</sup>)([^<>|\\n]{1,40})</sup>`, 'gi');
const LOWERED = /(?<!\\)<sub>([^<>|\n]{1,40})<\/sub>/gi;
/** As Pandoc writes `10^3^` and `H~2~O`. */
const RAISED_BY_CARETS = /(?<=[\p{L}\p{N})])\^([-+−–\dn]{1,6})\^(?![\p{L}\p{N}^])/gu;
const LOWERED_BY_TILDES = /(?<=[\p{L})])~(\d{1,3})~(?!~)/gu;
/** `$10^{5}$`, `$3 \times 10^5$` and `$2\frac{1}{4}$`; other mathematics stays as it is. */
const MATH_POWER =
  /(?<![\\$\p{L}\p{N}])\$((?:\d[\d.,]{0,20} ?\\(?:times|cdot) ?)?\d[\d.,]{0,20})\^(?:\{([-+−]?\d{1,3})\}|(\d))\$(?![\d$])/gu;
const MATH_FRACTION = /(?<![\\$\p{L}\p{N}])\$(\d{0,9})\\[dt]?frac ?\{(\d{1,9})\} ?\{(\d{1,9})\}\$(?![\d$])/gu;
const REFERENCE = /(?<!\\)&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
/** Would be read as Markdown. */
const MARKDOWN_SIGN = /^[\t-\r !#$*+=[\\\]^_`{|}~-]/;

/** Powers, fractions and character references as the characters that they stand for. */
function plainSigns(text: string): string {
  const fraction = (_whole: string, count: string, above: string, below: string): string =>
    `${count}${count === '' ? '' : ' '}${above}/${below}`;
  return text
    .replace(TAG_FRACTION, fraction)
    .replace(MATH_FRACTION, fraction)
    .replace(
      MATH_POWER,
      (_power, base: string, braced: string | undefined, digit: string) =>
        base.replace(/ ?\\(?:times|cdot) ?/, ' × ') + toSuperscript(braced ?? digit),
    )
    .replace(RAISED, (_tag, words: string) => finishLine(markRaised(words)))
    .replace(LOWERED, (_tag, words: string) => finishLine(markLowered(words)))
    .replace(RAISED_BY_CARETS, (written, words: string) => {
      const raised = toSuperscript(words);
      return raised === words ? written : raised;
    })
    .replace(LOWERED_BY_TILDES, (_sub, digits: string) => finishLine(markLowered(digits)))
    .replace(REFERENCE, (written) => {
      const read = decodeString(written);
      return MARKDOWN_SIGN.test(read) ? written : read;
    });
}

const QUOTE_PREFIX = /^((?:[ \t]*>)*[ \t]*)(.*)$/;
const CALLOUT = /^\[![\w-]+(?:\|[^\]]*)?\][+-]?[ \t]*/;
const TAG_LINE = /^#[\p{L}\p{N}_/-]+(?:[ \t,]+#[\p{L}\p{N}_/-]+)*$/u;
const MAX_TAG_LINE = 500;
/** At least three signs and a letter, so that `10 ^2` keeps its exponent. */
const BLOCK_ID = /(?:^|[ \t])\^(?=[\w-]*[A-Za-z])[A-Za-z\d][A-Za-z\d-]{2,60}[ \t]*$/;
const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

interface QuotedLine {
  /** Marks of quotations and indentation. */
  prefix: string;
  words: string;
}

function readLines(text: string): NoteText {
  const lines = text.split('\n').map((line): QuotedLine => {
    const [, prefix = '', words = ''] = QUOTE_PREFIX.exec(line) ?? [];
    return { prefix, words };
  });
  const out: string[] = [];
  const remarks: string[] = [];
  let chars = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined) break;
    const { prefix, words } = line;
    const table = readTable(lines, at);
    if (table !== null) {
      const rows = statementsOf(table.rows);
      chars += rows.length;
      if (chars > MAX_DOCUMENT_CHARS) throw new UnfitDocument(TOO_LONG);
      const margin = prefix.trimEnd();
      const told = rows.split('\n').map((row) => (row === '' ? margin : `${prefix}${row}`));
      if ((out.at(-1) ?? margin).trim() !== margin) out.push(margin);
      append(out, told);
      if (lines[table.last + 1]?.words.trim() !== '') out.push(margin);
      if (table.remark !== null) remarks.push(table.remark);
      at = table.last;
      continue;
    }
    if (words.length <= MAX_TAG_LINE && TAG_LINE.test(words.trim()) && /\p{L}/u.test(words)) continue;
    const isCallout = prefix.includes('>') && CALLOUT.test(words);
    out.push(`${prefix}${isCallout ? words.replace(CALLOUT, '') : words.replace(BLOCK_ID, '')}`);
  }
  return { text: out.join('\n'), remarks };
}

const TOO_LONG = `the rows of its tables have more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters; split it into parts`;

/** The pipe table that begins at a line; null if none does. Rows with more cells than the header are left out. */
function readTable(
  lines: readonly QuotedLine[],
  at: number,
): { rows: TableRow[]; last: number; remark: string | null } | null {
  const [header, delimiters] = [lines[at], lines[at + 1]];
  if (header?.words.includes('|') !== true || delimiters?.words.includes('|') !== true) return null;
  if (!DELIMITERS.test(delimiters.words)) return null;
  const depth = quoteDepth(header);
  const names = cellsOf(header.words);
  if (quoteDepth(delimiters) !== depth || cellsOf(delimiters.words).length !== names.length) return null;
  // Names below blank ones are a second header, as Markdown has but one.
  const second = cellsOf(lines[at + 2]?.words ?? '');
  const isHeader = !(names.slice(1).includes('') && second.every((cell) => /^[^\d]+$/.test(cell)));
  const rows: TableRow[] = [{ number: 1, cells: names.map((text) => ({ text, isHeader })) }];
  let left: string | null = null;
  let last = at + 1;
  for (let next = lines[last + 1]; next !== undefined; next = lines[last + 1]) {
    if (quoteDepth(next) !== depth || !/(?<!\\)\|/.test(next.words)) break;
    const cells = cellsOf(next.words);
    last += 1;
    if (cells.slice(names.length).some((cell) => cell !== '')) left ??= next.words.trim().slice(0, 60);
    else rows.push({ number: last - at, cells: cells.slice(0, names.length).map((text) => ({ text })) });
  }
  const remark =
    left === null
      ? null
      : `a row of a table has more cells than its header, and is left out: ${JSON.stringify(left)}`;
  return { rows, last, remark };
}

/** A header without names, or with one over figures, is a header all the same. */
function statementsOf(rows: readonly TableRow[]): string {
  const [{ cells: names } = { cells: [] }, ...body] = rows;
  if (names.filter(({ text }) => text !== '').length > 1 || names.length < 2 || body.length === 0)
    return tableText(rows);
  return body
    .map(({ cells }) => {
      const told = cells.flatMap(({ text }, at) => {
        const name = names[at]?.text ?? '';
        return text === '' ? [] : [name === '' ? text : `${name}: ${text}`];
      });
      return `${told.join('; ')}.`;
    })
    .filter((text) => text !== '.')
    .join('\n\n');
}

function quoteDepth({ prefix }: QuotedLine): number {
  return prefix.split('>').length - 1;
}

const FIGURE_NOTE = new RegExp(`(?<=\\d[)%]?)<sup>${NOTE_MARK}</sup>`, 'gi');

function cellsOf(words: string): string[] {
  return words
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replace(/\\\|/g, '|')
        .replace(/<br[ \t]*\/?>/gi, ' ')
        .replace(FIGURE_NOTE, '')
        .replace(MASKED, `${MASK}$1|${MASK}`)
        .trim(),
    );
}
