import { type Span, splitSentences } from '../../text/sentences';
import { isComplete } from './complete-clause';
import data from './data/citation-words.json';
import type { InlineText } from './inline-text';

/** A sentence of a block; `marks` are indices of the block's marks. */
export interface Sentence {
  start: number;
  end: number;
  plain: string;
  marks: number[];
}

/** `loose` are marks outside all sentences: they belong to the block before. */
export interface SentencesOfBlock {
  sentences: Sentence[];
  loose: number[];
}

const OPENING = String.raw`[(（[【［]`;
const CLOSING = String.raw`[)）\]】］]`;
const EMPTY_BRACKETS = new RegExp(
  `${OPENING}[\\s,;，；、&–-]*(?:(?:${data.before.map((word) => word.replaceAll('.', '\\.')).join('|')})[\\s,;，；、]*)*${CLOSING}`,
  'giu',
);
/** A removed mark leaves two: that of an abbreviation and that of the sentence. */
const TWO_STOPS = /(?<!\.)\.\.$/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** `isWhole` makes the block one statement, as for a table row. */
export function sentencesOf(inline: InlineText, marks: readonly Mark[], isWhole: boolean): SentencesOfBlock {
  const { view, places } = withoutMarks(inline, marks);
  const boundaries = boundariesAfter(inline, marks, places);
  const spans = isWhole
    ? [{ start: 0, end: view.length, text: view }]
    : joinSplitSentences(view, splitSentences(view)).flatMap((span) => splitAt(boundaries, span));
  const sentences: Sentence[] = [];
  const extents: { from: number; to: number }[] = [];
  for (const span of spans) {
    const plain = tidy(span.text);
    const from = places[span.start];
    const last = places[span.end - 1];
    if (from === undefined || last === undefined || !SAYS_SOMETHING.test(plain)) continue;
    extents.push({ from, to: last + 1 });
    sentences.push({ start: 0, end: 0, plain, marks: [] });
  }
  const loose: number[] = [];
  for (const [at, mark] of marks.entries()) {
    const found = sentenceIndexOf(extents, mark);
    if (found < 0) loose.push(at);
    else {
      sentences[found]?.marks.push(at);
      const extent = extents[found];
      if (extent === undefined) continue;
      extent.from = Math.min(extent.from, mark.from);
      extent.to = Math.max(extent.to, mark.to);
    }
  }
  for (const [at, sentence] of sentences.entries())
    Object.assign(sentence, writtenRange(inline, extents[at] ?? { from: 0, to: 0 }));
  return { sentences, loose };
}

/** Places in the view where a raised mark without a full stop is followed by a capital: `…rose¹ Calcium…`. */
function boundariesAfter({ text }: InlineText, marks: readonly Mark[], places: readonly number[]): number[] {
  return marks.flatMap(({ isRaised, from, to }) => {
    const isBetween =
      isRaised === true &&
      /[\p{L}\p{N}%)]/u.test(text.charAt(from - 1)) &&
      STARTS_SENTENCE.test(text.slice(to, to + 20));
    return isBetween ? [firstFrom(places, to)] : [];
  });
}

const STARTS_SENTENCE = /^\s+\p{Lu}/u;

/** Only if the sentence is complete before the mark: a name may follow a mark within a sentence. */
function splitAt(boundaries: readonly number[], { start, end, text }: Span): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const at of boundaries.slice(firstFrom(boundaries, start + 1), firstFrom(boundaries, end))) {
    const before = text.slice(from - start, at - start);
    if (!isComplete(before)) continue;
    spans.push({ start: from, end: at, text: before });
    from = at + (/^\s*/.exec(text.slice(at - start))?.[0].length ?? 0);
  }
  return [...spans, { start: from, end, text: text.slice(from - start) }];
}

/** Index of the first of the ascending numbers that is at least `least`. */
function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const MAX_QUOTATION_CHARS = 1_000;
/** Year of the title before it: `“A title.” (2012) reports …`. */
const DATED = /^\([^()]{0,60}(?<!\d)(?:1[5-9]|20)\d\d[a-z]?\)/;

/** Joins sentences that begin within a quotation, or with the year of the title before them. */
function joinSplitSentences(view: string, sentences: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    if (before === undefined || !belongTogether(view, before, sentence)) joined.push({ ...sentence });
    else Object.assign(before, { end: sentence.end, text: view.slice(before.start, sentence.end) });
  }
  return joined;
}

function belongTogether(view: string, { start, end, text }: Span, next: Span): boolean {
  if (/”$/.test(text) && DATED.test(next.text)) return true;
  const opened = text.lastIndexOf('“');
  if (opened < 0 || text.includes('”', opened)) return false;
  // Bounded search: a long text opens many quotations.
  const rest = view.slice(end, start + opened + MAX_QUOTATION_CHARS + 1);
  const closed = rest.indexOf('”');
  const again = rest.indexOf('“');
  return closed >= 0 && (again < 0 || closed < again);
}

/** Index of the sentence that contains the mark or ends right before it; the first sentence for a mark before all of them. */
function sentenceIndexOf(extents: readonly { from: number; to: number }[], mark: Mark): number {
  let low = 0;
  let high = extents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((extents[middle]?.from ?? Infinity) <= mark.from) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? (extents.length === 0 ? -1 : 0) : low - 1;
}

const RAISED_SIGNS = new Map(
  Array.from('0123456789-−+', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺'.charAt(at)] as const),
);

/** Exponents in HTML become signs of the same length, so that `10<sup>3</sup>` does not read as 103. */
function withRaisedSigns({ text, spans }: InlineText): string {
  let raised = '';
  for (const { kind, from, to } of spans) {
    if (kind !== 'raised' || from < raised.length) continue;
    const written = text.slice(from, to);
    const signs = Array.from(written, (sign) => RAISED_SIGNS.get(sign) ?? '').join('');
    raised += text.slice(raised.length, from) + (signs.length === written.length ? signs : written);
  }
  return raised + text.slice(raised.length);
}

function withoutMarks(inline: InlineText, marks: readonly Mark[]): { view: string; places: number[] } {
  const text = withRaisedSigns(inline);
  const places: number[] = [];
  let view = '';
  let done = 0;
  const keep = (to: number): void => {
    view += text.slice(done, to);
    for (let place = done; place < to; place += 1) places.push(place);
  };
  const cut = marks.flatMap(({ cuts }) => cuts).sort((a, b) => a.from - b.from);
  for (const { from, to } of cut) {
    if (from > done) keep(from);
    done = Math.max(done, to);
  }
  keep(text.length);
  return { view, places };
}

function tidy(text: string): string {
  return text
    .replace(EMPTY_BRACKETS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ +(?=[.,;:!?。，；：！？、)）\]】])/g, '')
    .replace(/(?<=[(（]) +/g, '')
    .replace(/^[\s|,，;；]+|[\s|]+$/g, '')
    .replace(/(?:,|;|，|；)+(?=[.。!?！？]$)/, '')
    .replace(TWO_STOPS, '.');
}

/** Range in the Markdown; a link at its edge is included as a whole. */
function writtenRange(
  { starts, ends, spans }: InlineText,
  { from, to }: { from: number; to: number },
): {
  start: number;
  end: number;
} {
  let start = starts[from] ?? 0;
  let end = ends[to - 1] ?? start;
  for (const span of spans) {
    if (span.from >= to) break;
    if (span.from >= from && span.from < to && span.start < start) start = span.start;
    if (span.to > from && span.to <= to && span.end > end) end = span.end;
  }
  return { start, end };
}

/** A text with its citations and its source list. Offsets are UTF-16 units of the Markdown. */
export interface CitedReport {
  statements: CitedStatement[];
  /** In order of appearance; `[1-3]` is three citations at one place. */
  citations: Citation[];
  entries: BibliographyEntry[];
  /** Parts that may state or list something but are not read, in order. */
  unread: UnreadPart[];
  /** True if the text has more than `MAX_CITATIONS` citations; further ones are left out. */
  hasMore?: boolean;
}

/** A text of 1,000 pages has some 1,000 citations. */
export const MAX_CITATIONS = 20_000;

/** Code with a source list or without an end; HTML with citations. */
export interface UnreadPart extends Place {
  kind: 'code' | 'open-code' | 'html';
}

export interface Place {
  start: number;
  end: number;
  /** Counts from 1. */
  line: number;
}

export interface CitedStatement extends Place {
  plain: string;
  /** Indices in `citations`, in order, without repeated labels. */
  citations: number[];
  /** The nearest heading above; null before the first. */
  heading: string | null;
}

type CitationForm = 'number' | 'footnote' | 'address' | 'link' | 'name';

export interface Citation extends Place {
  written: string;
  form: CitationForm;
  /** `3`, `smith`, `https://…`. */
  label: string;
  /** Index in `entries`; null if the source list has no such entry, or several. */
  entry: number | null;
}

export interface BibliographyEntry extends Place {
  /** A number or a footnote's name; null if the list has none. */
  label: string | null;
  text: string;
  url: string | null;
  title: string | null;
  author: string | null;
  year: string | null;
  /** `link`: an address that the text links to and that no list has. */
  origin: 'list' | 'footnote' | 'link';
}

/** A citation in a block's visible text, before its entry is known. */
export interface Mark {
  from: number;
  to: number;
  form: CitationForm;
  /** Several if one mark cites several sources. */
  labels: string[];
  /** Parts that are no words of the sentence, in order. */
  cuts: { from: number; to: number }[];
  isRaised?: true;
}
