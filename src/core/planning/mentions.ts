import type { Topic } from '../question/parse-question';
import { parseQuestion, topicsOf } from '../question/parse-question';
import { splitSentences } from '../../language/sentences';
import { words } from '../../language/words';
import { isGeneric } from '../topic/generic-words';
import { isSaid } from '../topic/said-stems';
import { coveredBy } from '../topic/umbrella-terms';
import { topicStem } from './topic-stem';

/** A word such as `programme` adds little to what a topic is about. */
const GENERIC_WEIGHT = 0.2;
const LIGHT_WEIGHT = 0.7;
/** A sentence speaks of a topic from this share of the topic's words on, by weight. */
const SPOKEN_SHARE = 0.6;

interface WeighedWord {
  stem: string;
  weight: number;
  covered: ReadonlySet<string>;
}

/** The question's topics in order; what `mentionsOf` counts has one figure for each. */
export function askedTopics(question: string): Topic[] {
  return topicsOf(parseQuestion(question));
}

/**
 * For each text, in how many of its sentences each of the question's topics is spoken of. A summary leaves much of a text
 * out; this says what the whole of it is about.
 */
export function mentionsOf(question: string, texts: readonly string[]): number[][] {
  const topics = askedTopics(question).map(weighed);
  return texts.map((text) => {
    const counts = topics.map(() => 0);
    for (const sentence of splitSentences(text)) {
      const stems = new Set(words(sentence.text).map(cachedStem));
      topics.forEach((topic, at) => {
        if (shareSpoken(topic, stems) >= SPOKEN_SHARE) counts[at] = (counts[at] ?? 0) + 1;
      });
    }
    return counts;
  });
}

function weighed(topic: Topic): WeighedWord[] {
  return topic.words.map(({ stem, wordClass }) => ({
    stem,
    weight: isGeneric(stem) ? GENERIC_WEIGHT : wordClass === 'heavy' ? 1 : LIGHT_WEIGHT,
    covered: coveredBy(stem),
  }));
}

function shareSpoken(topic: readonly WeighedWord[], stems: ReadonlySet<string>): number {
  let spoken = 0;
  let total = 0;
  for (const word of topic) {
    total += word.weight;
    if (isSpoken(word, stems)) spoken += word.weight;
  }
  return total === 0 ? 0 : spoken / total;
}

function isSpoken({ stem, covered }: WeighedWord, stems: ReadonlySet<string>): boolean {
  if (isSaid(stem, stems)) return true;
  for (const other of covered) if (stems.has(other)) return true;
  return false;
}

const MOST_CACHED = 100_000;
const stemCache = new Map<string, string>();

function cachedStem(word: string): string {
  const known = stemCache.get(word);
  if (known !== undefined) return known;
  const stem = topicStem(word);
  if (stemCache.size > MOST_CACHED) stemCache.clear();
  stemCache.set(word, stem);
  return stem;
}
