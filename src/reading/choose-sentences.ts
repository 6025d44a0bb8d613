import { tokensOf } from '../language/tokens';
import type { Collection } from './collection/collection';
import type { Question } from './question/question';
import type { QuestionKind } from './question/question-kind';
import type { RankedSentence } from './rank-sentences';

export interface ChoiceLimits {
  most: number;
  mostOfASource: number;
  /** True: each source is heard once before any is heard again. */
  inTurns?: boolean;
  /** What is kept covers so much of what the best ones cover. */
  nearBest: number;
  /** Whether two sentences contradict each other: in however like words, neither says what the other does. */
  contradict?: (one: number, other: number) => boolean;
}

export const CHOICE: ChoiceLimits = { most: 15, mostOfASource: 3, nearBest: 0.62 };

/** From so many sentences on a collection can be choosy. */
const MANY_SENTENCES = 200;
const BY_SIZE = 1 / 2;
const ONE_FACT: readonly QuestionKind[] = ['date', 'name'];

/**
 * How near to the best something must come in a collection of so many sentences. Few were put together for the question, and
 * most answer in words of their own; only where a fact is asked for it is the same bar for all.
 */
export function nearBestAmong(sentences: number, { kind, asksForEffect }: Question): number {
  if (ONE_FACT.includes(kind) && !asksForEffect) return CHOICE.nearBest;
  return CHOICE.nearBest * Math.min(1, (sentences / MANY_SENTENCES) ** BY_SIZE);
}

/** So many sentences say how well a question can be covered. */
const BEST = 3;
/** A source is heard again only with what is so near to the best by itself. */
const AGAIN_WITHIN = 2.5;
/** Sentences of whose words so many are in another's say the same. */
const OVERLAP = 0.7;

/** The sentences that answer, best first: those that cover nearly as much as the best, none that says what another does. */
export function chooseSentences(
  ranked: readonly RankedSentence[],
  { texts }: Collection,
  { most, mostOfASource, nearBest, inTurns = false, contradict = () => false }: ChoiceLimits = CHOICE,
): RankedSentence[] {
  const wanted = nearBest * meanOfBest(ranked, 'coverage');
  const chosen: RankedSentence[] = [];
  const perSource = new Map<number, number>();
  const said: { sentence: number; words: ReadonlySet<string> }[] = [];
  const again = meanOfBest(ranked, 'logOdds') - AGAIN_WITHIN;
  const able = ranked.filter(({ coverage }) => coverage >= wanted);
  for (const turn of inTurns ? Array.from({ length: mostOfASource }, (_, at) => at + 1) : [mostOfASource]) {
    for (const candidate of able) {
      if (chosen.length >= most) break;
      const already = perSource.get(candidate.source) ?? 0;
      if (already >= turn || chosen.includes(candidate)) continue;
      if (already > 0 && candidate.logOdds < again) continue;
      const { sentence } = candidate;
      const words = new Set(tokensOf(texts[sentence] ?? ''));
      const isSaid = said.some(
        (other) => overlap(words, other.words) > OVERLAP && !contradict(sentence, other.sentence),
      );
      if (isSaid) continue;
      chosen.push(candidate);
      perSource.set(candidate.source, already + 1);
      said.push({ sentence, words });
    }
  }
  return chosen;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

/** What covers so much of what the best cover answers nearly as well. */
const NEARLY_AS_WELL = 0.8;

/** Where more of a collection passes the bar it was made for the question, and all of it that answers at all is read. */
const MOST_OF_ALL = 0.5;
const ANSWERS_AT_ALL = 0.5;
/** Where so many sources answer nearly as well as the best the question is a broad one, and all that pass are read. */
const BROAD = 30;

/**
 * The sources that answer nearly as well as the best, by their best sentences: few for a narrow question, many for a broad
 * one, and all that answer at all where the collection was made for the question.
 */
export function sourcesNearBest(
  ranked: readonly RankedSentence[],
  sources: number,
  nearBest: number = CHOICE.nearBest,
): RankedSentence[] {
  const best = meanOfBest(ranked, 'coverage');
  const seen = new Set<number>();
  const leading = ranked.filter(({ source }) => !seen.has(source) && seen.add(source));
  const passing = leading.filter(({ coverage }) => coverage >= nearBest * best);
  if (passing.length > MOST_OF_ALL * sources)
    return leading.filter(({ coverage }) => coverage >= Math.min(nearBest, ANSWERS_AT_ALL) * best);
  const near = passing.filter(({ coverage }) => coverage >= NEARLY_AS_WELL * best);
  return near.length >= BROAD ? passing : near;
}

/** The mean of what the best sentences have: how well a question can be answered here. */
export function meanOfBest(ranked: readonly RankedSentence[], what: 'coverage' | 'logOdds'): number {
  const best = ranked.slice(0, BEST);
  return best.reduce((sum, sentence) => sum + sentence[what], 0) / Math.max(1, best.length);
}
