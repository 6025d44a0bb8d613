import { coveredBy } from '../topic/umbrella-terms';
import type { TermSpace } from './term-space';

/** A word tells sources apart that at most this share of them uses. */
const TELLING_SHARE = 0.12;

/** Everyday words that titles use together are a term: `dietary supplements`. */
export function isTerm(
  space: TermSpace,
  index: (stems: string[]) => number | undefined,
  topicWords: readonly { stem: string }[],
): boolean {
  const term = topicWords.length < 2 ? undefined : index(topicWords.map((word) => word.stem));
  return term !== undefined && (space.phrases[term]?.titleCount ?? 0) >= 2;
}

/** An everyday word that few of the sources use tells them apart: `school` among articles on all sorts of people. */
export function isTelling(
  space: TermSpace,
  index: (stems: string[]) => number | undefined,
  word: { stem: string },
): boolean {
  const term = index([word.stem]);
  const sources = term === undefined ? 0 : (space.phrases[term]?.sources.length ?? 0);
  return sources >= 2 && sources <= TELLING_SHARE * space.terms.length;
}

/** A function from stems to the term that they make, if they make one. */
export function indexTerms(space: TermSpace): (stems: string[]) => number | undefined {
  const stemNumbers = new Map(space.collection.stems.map((stem, at) => [stem, at]));
  const keys = new Map(space.phrases.map((phrase, term) => [phrase.key, term]));
  return (stems) => {
    const numbers = stems.map((stem) => stemNumbers.get(stem));
    return numbers.includes(undefined) ? undefined : keys.get(numbers.join(' '));
  };
}

/** The topic's words and the phrases within it, each with its share of what makes the topic specific. */
export function termsOfTopic(
  space: TermSpace,
  index: (stems: string[]) => number | undefined,
  topicWords: readonly { stem: string; wordClass: string }[],
): { term: number; share: number }[] {
  const found: { term: number; weight: number }[] = [];
  for (let start = 0; start < topicWords.length; start++) {
    for (let end = start + 1; end <= topicWords.length; end++) {
      const part = topicWords.slice(start, end);
      const term = index(part.map((word) => word.stem));
      if (term === undefined) continue;
      const heavy = part.some((word) => word.wordClass === 'heavy');
      found.push({ term, weight: (space.idf[term] ?? 0) * (heavy ? 1 : 0.25) * (part.length > 1 ? 1.5 : 1) });
    }
  }
  const total = found.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return found.map(({ term, weight }) => ({ term, share: Math.min(1, (1.4 * weight) / total) }));
}

/**
 * Single words that stand for the whole topic: `yoga` for `exercise`, `cholesterol` for `blood lipids`. A light head
 * (`supplementation`) is narrowed by the words before it, and what stands for it alone does not stand for the topic.
 */
export function coveredTerms(
  index: (stems: string[]) => number | undefined,
  longerWords: (stem: string) => string[],
  topicWords: readonly { stem: string; wordClass: string }[],
): number[] {
  const covering = topicWords.map((word) => ({
    word,
    covered: new Set([...coveredBy(word.stem), ...longerWords(word.stem)]),
  }));
  const headIsHeavy = topicWords.at(-1)?.wordClass === 'heavy';
  if (headIsHeavy && covering.at(-1)?.covered.size === 0) return [];
  if (!headIsHeavy && covering.some(({ word, covered }) => word.wordClass === 'heavy' && covered.size === 0))
    return [];
  const sets = covering.map(({ covered }) => covered).filter((covered) => covered.size > 0);
  const own = new Set(topicWords.map(({ stem }) => stem));
  return [...(sets[0] ?? [])]
    .filter((stem) => !own.has(stem) && sets.every((covered) => covered.has(stem)))
    .flatMap((stem) => index([stem]) ?? []);
}
