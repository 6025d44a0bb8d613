import { splitSentences } from '../language/sentences';
import { sentencesOfSource } from '../reading/collection/read-source';

/** From so many characters on a passage ends with its paragraph; with more than so many it ends in any case. */
const LEAST_CHARS = 600;
const MOST_CHARS = 1_000;
/** Sentences at the end of a passage, of up to so many characters, begin the next one as well. */
const OVERLAP_CHARS = 220;

export interface PlacedSentence {
  start: number;
  end: number;
  paragraph: number;
}

/** The sentences of a passage by their places, `to` exclusive. */
export interface SentenceRange {
  from: number;
  to: number;
}

/** The sentences that passages are made of: those of the source's own account, or of all its text where it has no such. */
export function placedSentences(content: string): PlacedSentence[] {
  const own = sentencesOfSource(content).map(({ start, end, passage }) => ({
    start,
    end,
    paragraph: passage,
  }));
  if (own.length > 0) return own;
  return splitSentences(content).map(({ start, end }) => ({ start, end, paragraph: 0 }));
}

/** Overlapping passages of whole sentences; a sentence that is longer than a passage is one by itself. */
export function passageRanges(sentences: readonly PlacedSentence[]): SentenceRange[] {
  const ranges: SentenceRange[] = [];
  let from = 0;
  while (from < sentences.length) {
    const to = endOfPassage(sentences, from);
    ranges.push({ from, to });
    if (to === sentences.length) break;
    from = startOfNext(sentences, from, to);
  }
  return ranges;
}

function endOfPassage(sentences: readonly PlacedSentence[], from: number): number {
  const start = sentences[from]?.start ?? 0;
  let to = from + 1;
  for (; to < sentences.length; to += 1) {
    const last = sentences[to - 1];
    const next = sentences[to];
    if (last === undefined || next === undefined || next.end - start > MOST_CHARS) break;
    if (next.paragraph !== last.paragraph && last.end - start >= LEAST_CHARS) break;
  }
  return to;
}

/** Always behind `from`, and so that at least one new sentence fits behind what is repeated. */
function startOfNext(sentences: readonly PlacedSentence[], from: number, to: number): number {
  const end = sentences[to - 1]?.end ?? 0;
  const nextEnd = sentences[to]?.end ?? end;
  let start = to;
  while (start - 1 > from) {
    const candidate = sentences[start - 1]?.start ?? 0;
    if (end - candidate > OVERLAP_CHARS || nextEnd - candidate > MOST_CHARS) break;
    start -= 1;
  }
  return start;
}
