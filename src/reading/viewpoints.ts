import { tokensOf } from '../language/tokens';
import { plainestAnswer, type SourceAnswer } from './plainest-answer';
import { indexSources, type ReadableSource } from './collection/collection';
import type { Question } from './question/question';
import { rankSentences } from './rank-sentences';
import { readIndexed } from './features/read-features';

/** An answer that sources give to a question. */
export interface Viewpoint {
  answer: string;
  /** The ids of the sources that give it, the one that gives it most plainly first. */
  sources: string[];
  /** The sentence of the first of them that holds the answer. */
  sentence: string;
}

const MOST_VIEWPOINTS = 6;
/**
 * What answers less plainly than the best by more, in log-odds, is not held against it: it may speak of something else. This
 * is the dial between telling few false disagreements and finding many true ones.
 */
const NEAR_BEST = 0.4;
/** A sentence that covers less of the question than this share of the best one's does not answer it. */
const COVERAGE_SHARE = 0.5;
/** Answers of whose words so many are in another are forms of one: “1829” and “2 July 1829”. */
const SHARED = 0.5;

/**
 * The different answers that sources give to a question, the plainest first: one where they agree, none where none of them
 * holds anything that could answer. A source gives one answer at most.
 */
export function findViewpoints(question: Question, sources: readonly ReadableSource[]): Viewpoint[] {
  const collection = indexSources(sources);
  const ranked = rankSentences(readIndexed(question, collection), { most: Infinity });
  const leastCoverage = COVERAGE_SHARE * Math.max(0, ...ranked.map(({ coverage }) => coverage));
  const answers = sources
    .flatMap((_source, place) => {
      const own = ranked.filter(({ source }) => source === place);
      return plainestAnswer(question, own, { texts: collection.texts, leastCoverage }) ?? [];
    })
    .sort((a, b) => b.plainness - a.plainness || a.source - b.source);
  const wanted = (answers[0]?.plainness ?? 0) - NEAR_BEST;
  const near = answers.filter(({ plainness }) => plainness >= wanted);
  return grouped(near, sources)
    .slice(0, MOST_VIEWPOINTS)
    .map(({ first, places }) => ({
      answer: first.answer,
      sources: places.flatMap((place) => sources[place]?.id ?? []),
      sentence: first.sentence,
    }));
}

interface Group {
  first: SourceAnswer;
  places: number[];
}

function grouped(answers: readonly SourceAnswer[], sources: readonly ReadableSource[]): Group[] {
  const texts = sources.map(({ sentences }) => spaced(sentences.join(' ')));
  const groups: Group[] = [];
  for (const answer of answers) {
    const same = groups.find(({ first }) => areSame(first, answer, texts));
    if (same === undefined) groups.push({ first: answer, places: [answer.source] });
    else same.places.push(answer.source);
  }
  return groups;
}

/** A source that holds the other's answer too does not contradict it. */
function areSame(one: SourceAnswer, other: SourceAnswer, texts: readonly string[]): boolean {
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  if (shared > 0 && shared >= SHARED * Math.min(one.words.size, other.words.size)) return true;
  const holds = (source: number, answer: string): boolean => (texts[source] ?? '').includes(spaced(answer));
  return holds(one.source, other.answer) || holds(other.source, one.answer);
}

function spaced(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

/** At most so many characters of a text, the stretch that matters among them. */
export function clippedAround(text: string, stretch: string, most: number): string {
  if (text.length <= most) return text;
  const at = Math.max(0, text.indexOf(stretch));
  const fitsFirst = at + stretch.length <= most;
  const from = fitsFirst ? 0 : at - Math.floor((most - stretch.length) / 2);
  return text.slice(Math.max(0, from), Math.max(0, from) + most).trim();
}
