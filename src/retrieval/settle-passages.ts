import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { Page } from '../contracts/source/source';
import { cutLongText } from '../core/text/cut-long-text';
import type { Candidate } from './candidates';
import { pagesOf } from '../core/sources/pages-of';
import { pageParts } from './page-parts';
import type { RankedPassage } from './rank-passages';

export interface Settling {
  most: number;
  pagesOfSource: (sourceId: string) => readonly Page[] | undefined;
}

/** A passage is longer where it is one sentence alone; what has still more is a table or data in one line, and its beginning stands. */
const PASSAGE_CHARS = { most: 2_000, least: 500 };

interface Span {
  start: number;
  end: number;
}

/**
 * The best passages, numbered. What a better passage of the source has already said is cut off, between sentences; a passage
 * whose best sentence is in there waits until the next best one's turn comes, and goes where none is left, or another source
 * has it word for word. Those that somebody gave stay as they are.
 */
export function settlePassages(
  ranked: readonly RankedPassage[],
  candidates: readonly Candidate[],
  { most, pagesOfSource }: Settling,
): AnswerPassage[] {
  const taken = new Map<string, Span[]>();
  const texts = new Set<string>();
  const settled: AnswerPassage[] = [];
  const waiting = [...ranked];
  for (let next = waiting.shift(); next !== undefined && settled.length < most; next = waiting.shift()) {
    const { place, sentences } = next;
    const [best, ...others] = sentences;
    const score = best?.score ?? 0;
    const bestStart = best?.start ?? null;
    const candidate = candidates[place];
    if (candidate === undefined) continue;
    const { about, similarity } = candidate;
    const spans = taken.get(about.sourceId) ?? [];
    const span = similarity === null ? freeSpan(candidate, bestStart, spans) : freshSpan(candidate, spans);
    if (span === null) {
      if (similarity === null) wait(waiting, { place, sentences: others });
      continue;
    }
    const pages = similarity === null ? pagesOfSource(about.sourceId) : undefined;
    for (const { start, end } of pageParts(span, { sentences: candidate.sentences, pages, bestStart })) {
      if (settled.length >= most) break;
      const text = candidate.text.slice(start - candidate.start, end - candidate.start);
      if (texts.has(text)) continue;
      texts.add(text);
      taken.set(about.sourceId, [...(taken.get(about.sourceId) ?? []), { start, end }]);
      settled.push({
        ...about,
        id: `P${settled.length + 1}`,
        start,
        end,
        text,
        pages: similarity === null ? pagesOf(pages, start, end) : about.pages,
        score: Math.max(score, similarity ?? 0),
      });
    }
  }
  return settled;
}

/** Behind all that have something better to say. */
function wait(waiting: RankedPassage[], passage: RankedPassage): void {
  const [best] = passage.sentences;
  if (best === undefined) return;
  const at = waiting.findIndex(({ sentences }) => (sentences[0]?.score ?? 0) < best.score);
  waiting.splice(at < 0 ? waiting.length : at, 0, passage);
}

/** A passage that was given stands as it is, unless another holds all of it. */
function freshSpan({ start, end }: Candidate, taken: readonly Span[]): Span | null {
  return taken.some((span) => span.start <= start && end <= span.end) ? null : { start, end };
}

function freeSpan(candidate: Candidate, bestStart: number | null, taken: readonly Span[]): Span | null {
  const { sentences } = candidate;
  const isFree = ({ start, end }: Span): boolean =>
    !taken.some((span) => span.start < end && start < span.end);
  const best = sentences.findIndex(({ start }) => start === bestStart);
  const middle = best < 0 ? 0 : best;
  const isFreeAt = (place: number): boolean => {
    const sentence = sentences[place];
    return sentence !== undefined && isFree(sentence);
  };
  if (!isFreeAt(middle)) return null;
  let from = middle;
  let to = middle;
  while (isFreeAt(from - 1)) from -= 1;
  while (isFreeAt(to + 1)) to += 1;
  const start = sentences[from]?.start;
  const end = sentences[to]?.end;
  return start === undefined || end === undefined ? null : beginningOf({ start, end }, candidate);
}

function beginningOf({ start, end }: Span, candidate: Candidate): Span {
  const text = candidate.text.slice(start - candidate.start, end - candidate.start);
  return { start, end: start + (cutLongText(text, PASSAGE_CHARS)[0]?.end ?? text.length) };
}
