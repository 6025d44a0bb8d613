/** A span of text; `start` and `end` are UTF-16 offsets, `end` exclusive, white space at both ends left out. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A text ends so where the next segment belongs to the same sentence: `Dr.`, `et al.`, `Fig.`, `p.`, `U.S.`, `i.e.` */
const ABBREVIATION =
  /(?:^|[\s([])(?:Dr|Drs|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|cf|ca|approx|resp|Fig|Figs|Tab|Eq|Eqs|Ref|Refs|No|Nos|Vol|pp?|al|etc|Inc|Ltd|Co|Corp|[A-Z]|e\.g|i\.e|[A-Z]\.[A-Z])\.\s*$/;

/** Splits text into sentences. Line breaks of a paragraph do not end a sentence; abbreviations and decimals do not either. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let end = 0;
  const flush = (): void => {
    const raw = text.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    if (trimmed !== '') spans.push({ start: start + lead, end: start + lead + trimmed.length, text: trimmed });
    start = end;
  };
  for (const { segment, index } of segmenter.segment(text)) {
    const open = text.slice(start, index);
    if (index > start && !continues(open, segment)) flush();
    end = index + segment.length;
  }
  flush();
  return spans;
}

function continues(open: string, next: string): boolean {
  if (ABBREVIATION.test(open)) return true;
  if (!/[.!?][)\]"'”’]*\s*$/.test(open)) return /^\s*\S/.test(next) && !/\n\s*$/.test(open);
  return /^\s*[\p{Ll}<=>±%,;)]/u.test(next);
}
