import { type Span, splitSentences } from '../../text/sentences';
import data from './data/citation-words.json';
import type { InlineText } from './inline-text';

/** A sentence of a block in the Markdown, with the places of its marks among the block's. */
export interface Sentence {
  start: number;
  end: number;
  plain: string;
  marks: number[];
}

/** Sentences of a block, and marks that no sentence of it holds: they belong to the block before. */
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
/** A mark stood between that of an abbreviation and that of the sentence. */
const TWO_STOPS = /(?<!\.)\.\.$/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** `isWhole`: a row of a table is one statement. */
export function sentencesOf(inline: InlineText, marks: readonly Mark[], isWhole: boolean): SentencesOfBlock {
  const { view, places } = withoutMarks(inline, marks);
  const spans = isWhole ? [{ start: 0, end: view.length, text: view }] : whole(view, splitSentences(view));
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
    const found = holderOf(extents, mark);
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
    Object.assign(sentence, written(inline, extents[at] ?? { from: 0, to: 0 }));
  return { sentences, loose };
}

/** A longer quotation is read sentence by sentence. */
const LONGEST_QUOTATION = 1_000;
/** Of which year what is named before it is: `“A title.” (2012) reports …`. */
const DATED = /^\([^()]{0,60}(?<!\d)(?:1[5-9]|20)\d\d[a-z]?\)/;

/** Sentences of which none begins within a quotation, or with the year of the title that the one before ends with. */
function whole(view: string, sentences: readonly Span[]): Span[] {
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
  // Only what is near enough is looked through: a long text opens many.
  const rest = view.slice(end, start + opened + LONGEST_QUOTATION + 1);
  const closed = rest.indexOf('”');
  const again = rest.indexOf('“');
  return closed >= 0 && (again < 0 || closed < again);
}

/** The sentence in which a mark stands, or right behind which; the first where it stands before all. */
function holderOf(extents: readonly { from: number; to: number }[], mark: Mark): number {
  let low = 0;
  let high = extents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((extents[middle]?.from ?? Infinity) <= mark.from) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? (extents.length === 0 ? -1 : 0) : low - 1;
}

/** The text without its marks; for each of its characters the place in the whole text. */
function withoutMarks({ text }: InlineText, marks: readonly Mark[]): { view: string; places: number[] } {
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

/** Where it is written; a link that ends with it, or begins, is all of it. */
function written(
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

/** A text with its citations and its list of sources, whoever wrote it. Offsets are UTF-16 units of the Markdown. */
export interface CitedReport {
  /** What it states, in order: sentences, items, rows. */
  statements: CitedStatement[];
  /** In order of appearance; `[1-3]` is three, at one place. */
  citations: Citation[];
  entries: BibliographyEntry[];
  /** What may state or list something, and is not read, in order. */
  unread: UnreadPart[];
  /** Where it cites more than `MOST_CITATIONS` times; those behind them are not among `citations`. */
  hasMore?: boolean;
}

/** A text of a thousand pages cites some thousand times. */
export const MOST_CITATIONS = 20_000;

/** Code that holds a list of sources, or that nothing ends; HTML that cites. */
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
  /** What it says, without marks and Markdown. */
  plain: string;
  /** Places in `citations`, in order, without repeats of a label. */
  citations: number[];
  /** The nearest heading above; null before the first. */
  heading: string | null;
}

type CitationForm = 'number' | 'footnote' | 'address' | 'link';

export interface Citation extends Place {
  /** As it stands in the text, brackets included. */
  written: string;
  form: CitationForm;
  /** What it names: `3`, `smith`, `https://…`. */
  label: string;
  /** The place of its entry in `entries`; null where the list of sources has none, or more than one. */
  entry: number | null;
}

export interface BibliographyEntry extends Place {
  /** By which it is cited: a number, a footnote's name; null where the list has none. */
  label: string | null;
  text: string;
  url: string | null;
  title: string | null;
  author: string | null;
  year: string | null;
  /** An address that is linked to in the text is an entry of its own where no list has it. */
  origin: 'list' | 'footnote' | 'link';
}

/** A citation's place in a block's visible text, before it is known what it cites. */
export interface Mark {
  from: number;
  to: number;
  form: CitationForm;
  /** What it names; several where one mark cites several sources. */
  labels: string[];
  /** The parts of it that are no words of the sentence, in order. */
  cuts: { from: number; to: number }[];
}
