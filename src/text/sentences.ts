import type { Passage } from '../contracts/source';
import data from './data/abbreviations.json';
import leaningData from './data/leaning-words.json';

let segmenter: Intl.Segmenter | undefined;

/** UTF-16 offsets, `end` exclusive, without surrounding white space. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

const CANDIDATE = /[.!?…]+["'”’»)\]]*(?=\s|$)|\n|[.!?](?=\p{Lu}\p{Ll}+[ ,]|(?:In|No|We|It|At|A|An|The) )/gu;

const SHORTENED = data.abbreviations.map(escapePoints).join('|');
const ALSO_AT_THE_END = data.alsoAtTheEnd.map(escapePoints).join('|');
const CLOSED = String.raw`\.["'”’)\]]*$`;

/** Matches a text that ends with an abbreviation: `Dr.`, `et al.`, `Fig.`, `p.`, `U.S.`, `i.e.` */
const ABBREVIATION = new RegExp(
  String.raw`(?:^|[\s([])(?:(?:${SHORTENED})s?|${ALSO_AT_THE_END}|[A-Z]|[A-Z]\.[A-Z])${CLOSED}`,
);
/** Abbreviations that may end a sentence; a capital after them begins a new one. */
const MAY_END = new RegExp(String.raw`\b(?:${ALSO_AT_THE_END})${CLOSED}`);

/** Cannot begin a sentence. A lower-case letter can in a text without capitals. */
const CONTINUATION = /^(?:\p{Ll}(?!\p{Lu})|[<=>≤≥±%,;:)\]])/u;
const UNCASED_CONTINUATION = /^[<=>≤≥±%,;:)\]]/;
const SPACE = /\s/;
const LIST_MARKER = /^(?:[-*+•✔✓▪◦‣]|\d{1,2}[.)])[ \t]+|^>[ \t]?/;
const BLOCK_START = /^(?:[-*+•✔✓▪◦‣>|]|\d{1,2}[.)])(?:\s|$)|^[|#]/;

/** Longest hand-wrapped line; a longer line without a full stop is a block. */
const MAX_WRAPPED_LINE = 130;
const MIN_WRAPPED_LINE = 40;

/**
 * Splits text into sentences. A line break ends a sentence if the line is complete or is an item, a row or a caption.
 * Hand-wrapped lines, abbreviations and decimals do not. Glued sentences (`ended.The next`) are split.
 */
export function splitSentences(text: string): Span[] {
  if (isUnspaced(text)) return segmented(text);
  const continuation = /\p{Lu}/u.test(text) ? CONTINUATION : UNCASED_CONTINUATION;
  const spans: Span[] = [];
  let start = 0;
  const flush = (end: number): void => {
    let from = start;
    while (from < end && SPACE.test(text.charAt(from))) from += 1;
    const marker = LIST_MARKER.exec(text.slice(from, Math.min(end, from + 8)));
    if (marker && (from === 0 || text.lastIndexOf('\n', from) >= start || text[from - 1] === '\n'))
      from += marker[0].length;
    let to = end;
    while (to > from && SPACE.test(text.charAt(to - 1))) to -= 1;
    if (to > from) spans.push({ start: from, end: to, text: text.slice(from, to) });
    start = end;
  };
  let rowEnd = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const end = match.index + match[0].length;
    if (match[0] === '\n') {
      if (endsAtLineBreak(text, start, match.index, continuation)) flush(end);
      continue;
    }
    if (end > rowEnd) rowEnd = endOfRow(text, start, end);
    if (end >= rowEnd && endsAtPoint(text, start, match.index, end, continuation)) flush(end);
  }
  flush(text.length);
  return spans;
}

/** Longer rows of tables are split like other text, rows of two cells sooner. */
const MAX_ROW_CHARS = 900;
const MAX_PAIR_CHARS = 200;
/** Prose has longer clauses before its colons, and brackets around its semicolons. */
const NAMED_CELL = /^(?:[^.:!?()]|\([^()]*\)|\.(?!\s\p{Lu})){1,80}?: \S/u;

/**
 * The end of the line if it is a row of a table, which the parsers write as `Country: Iran, Islamic Rep. Of; Cases: 120.`: points in
 * its cells end no sentence. Else 0.
 */
function endOfRow(text: string, start: number, end: number): number {
  const from = Math.max(start, text.lastIndexOf('\n', end - 1) + 1);
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  if (to - from > MAX_ROW_CHARS) return 0;
  const [first = '', ...others] = text.slice(from, to).trim().split('; ');
  const isRow = others.length > 0 && others.every((cell) => NAMED_CELL.test(cell));
  const isSure = others.length > 1 || (to - from <= MAX_PAIR_CHARS && NAMED_CELL.test(first));
  return isRow && isSure ? from + text.slice(from, to).trimEnd().length : 0;
}

function segmented(text: string): Span[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'sentence' });
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const inside = segment.trim();
    const start = index + (segment.length - segment.trimStart().length);
    return inside === '' ? [] : [{ start, end: start + inside.length, text: inside }];
  });
}

function endsAtPoint(text: string, start: number, at: number, end: number, continuation: RegExp): boolean {
  let next = end;
  while (next < text.length && SPACE.test(text.charAt(next))) next += 1;
  if (next >= text.length) return true;
  if (next === end) return endsGlued(text, start, at, end);
  const following = text.slice(next, next + 2);
  const breaksLine = text.slice(end, next).includes('\n');
  if (continuation.test(following)) return breaksLine && BLOCK_START.test(following);
  if (text[at] !== '.') return true;
  const open = text.slice(Math.max(start, at - 14), end);
  if (!ABBREVIATION.test(open)) return !/^\s*\d{1,2}\.$/.test(text.slice(start, end));
  return MAY_END.test(open) && /\p{Lu}/u.test(following);
}

/** `paths in the frontal plane.Rambling and trembling` is two sentences; `Node.Buffer` and `example.Com/x` are not. */
function endsGlued(text: string, start: number, at: number, end: number): boolean {
  const before = /(?:^|[\s(])(?:\p{Ll}{3,}|[\d.]+\)|[^\s()]*\d%|\p{Ll}+\))$/u.exec(
    text.slice(Math.max(start, at - 30), at),
  );
  return before !== null && /^\p{Lu}\p{Ll}*[ ,]/u.test(text.slice(end, end + 24));
}

function endsAtLineBreak(text: string, start: number, at: number, continuation: RegExp): boolean {
  const line = text.slice(Math.max(start, text.lastIndexOf('\n', at - 1) + 1), at).trim();
  let stop = text.indexOf('\n', at + 1);
  if (stop < 0) stop = text.length;
  const next = text.slice(at + 1, stop).trim();
  if (line === '' || next === '') return true;
  if (BLOCK_START.test(next)) return true;
  if (/[.!?…]["'”’»)\]]*$/.test(line)) return !continuation.test(next);
  if (/:$/.test(line)) return true;
  if (continuation.test(next)) return line.length > MAX_WRAPPED_LINE * 2;
  return line.length < MIN_WRAPPED_LINE || line.length > MAX_WRAPPED_LINE;
}

function escapePoints(abbreviation: string): string {
  return abbreviation.replaceAll('.', String.raw`\.`);
}

const MARKDOWN_HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
/** Extracted articles mark parts as `ABSTRACT.RESULTS:` or `BODY.METHODS.PARTICIPANTS:` on a line of its own. */
const LABEL_HEADING = /^((?=[^\p{Ll}]*$)\p{Lu}[\p{Lu}\p{N} .,:;/&()'’“”"<>=+%*–—-]{2,160}?):{1,2}\s*$/u;
const UNDERLINE = /^(=+|-{2,})\s*$/;

/**
 * Splits a source into paragraphs, in order, each with the headings above it. Blank lines, headings and fenced code
 * end a paragraph; headings and code are no passages.
 */
export function splitPassages(content: string): Passage[] {
  const passages: Passage[] = [];
  let headings: { level: number; text: string }[] = [];
  let start = -1;
  let end = -1;
  let fenced = false;
  const flush = (): void => {
    if (start >= 0) {
      passages.push({
        start,
        end,
        text: content.slice(start, end),
        headings: headings.map((heading) => heading.text),
      });
    }
    start = -1;
  };
  let offset = 0;
  const lines = content.split('\n');
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    const lineStart = offset + (line.length - line.trimStart().length);
    offset += line.length + 1;
    if (trimmed.startsWith('```') || trimmed.startsWith('~~~')) {
      flush();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const heading =
      headingOf(trimmed) ?? (start < 0 ? underlined(trimmed, lines[index + 1]?.trim() ?? '') : null);
    if (trimmed === '' || heading !== null) flush();
    if (heading !== null) headings = [...headings.filter((above) => above.level < heading.level), heading];
    else if (trimmed !== '' && !(start < 0 && UNDERLINE.test(trimmed))) {
      if (start < 0) start = lineStart;
      end = lineStart + trimmed.length;
    }
  }
  flush();
  return passages;
}

function headingOf(line: string): { level: number; text: string } | null {
  if (line.startsWith('#')) {
    const markdown = MARKDOWN_HEADING.exec(line);
    if (markdown) return { level: markdown[1]?.length ?? 1, text: markdown[2] ?? '' };
  }
  const label = line.endsWith(':') && line.length <= 163 ? LABEL_HEADING.exec(line) : null;
  return label ? { level: labelLevel(label[1] ?? ''), text: label[1] ?? '' } : null;
}

const PART_START = String.raw`(?:^|\.)(?:\d+\.?\s*)?`;
const STUDY_PART =
  /(?:[A-Z]+,? (?:AND|&) )*(?:MATERIALS?|METHODS?|METHODOLOGY|RESULTS?|FINDINGS|DISCUSSION)(?:\W.*)?/;
const FRAMING_PART = /TITLE|ABSTRACT|BACKGROUND|INTRODUCTION|CONCLUSIONS?/;
const BACK_PART = /REFERENCES|ACKNOWLEDGE?MENTS?|COMPETING INTERESTS?|ABBREVIATIONS/;

/** Top-level parts of an article; `BODY.LEG PRESS` after `BODY.RESULTS` belongs to the results. */
const TOP_LEVEL = new RegExp(
  String.raw`${PART_START}(?:${FRAMING_PART.source}|${STUDY_PART.source}|${BACK_PART.source})(?:\.|$)`,
);

function labelLevel(label: string): number {
  return TOP_LEVEL.test(label) || /^ABSTRACT\./.test(label) ? 1 : 2;
}

function underlined(line: string, next: string): { level: number; text: string } | null {
  if (line === '' || line.length > 120 || next.length < 3 || !UNDERLINE.test(next)) return null;
  return { level: next.startsWith('=') ? 1 : 2, text: line };
}

/** Runs of letters or digits; a decimal is one token, a hyphenated word is two. */
const TOKEN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:\p{N}+[\p{L}\p{M}]*)*/gu;
/** The ASCII version takes half the time. */
const ASCII_TOKEN = /\d+(?:[.,]\d+)*|[a-z]+(?:\d+[a-z]*)*/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** Cheap test before `UNSPACED`: the ranges of scripts without spaces. */
const BEYOND_SPACED = /[\u0e00-\u1fff\u2e80-\uffff]/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

let wordSegmenter: Intl.Segmenter | undefined;

export function isUnspaced(text: string): boolean {
  return BEYOND_SPACED.test(text) && UNSPACED.test(text);
}

/** Tokens in lower case, in order. Hyphens and apostrophes split words; numbers lose the commas of thousands. */
export function tokensOf(text: string): string[] {
  const isAscii = !BEYOND_ASCII.test(text);
  const tokens = text.toLowerCase().match(isAscii ? ASCII_TOKEN : TOKEN) ?? [];
  const plain = tokens.map((token) => (isThousands(token) ? token.replaceAll(',', '') : token));
  return !isAscii && isUnspaced(text) ? plain.flatMap(wordSegments) : plain;
}

function isThousands(token: string): boolean {
  return token.includes(',') && /^\d/.test(token);
}

function wordSegments(token: string): string[] {
  if (!isUnspaced(token)) return [token];
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...wordSegmenter.segment(token)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
}

const DEPENDENT_OPENINGS = new Set(leaningData.words);
const FIRST_WORD = /^["'“‘([]*([\p{L}]+)/u;

/** True for a sentence that does not stand alone: `This held in women, too.` */
export function dependsOnPrevious(sentence: string): boolean {
  return DEPENDENT_OPENINGS.has(FIRST_WORD.exec(sentence)?.[1]?.toLowerCase() ?? '');
}
