import { abbreviationsIn } from '../../language/abbreviations';
import { stemOf, terms } from '../../language/words';
import { tokensOf } from '../../language/tokens';
import data from '../../language/data/question-words.json';
import { readQuestion } from '../question/question';
import { asksForEffect, parted } from '../question/question-kind';
import type { WordCounts } from '../../contracts/report/word-counts';

/** A phrase of the question that stands nowhere in what was searched. */
export interface Unmentioned {
  phrase: string;
  /** What the question compares it with, where it does. */
  comparedWith: string | null;
}

/** Words that share so many letters at their start may be forms of one, and were perhaps said in another form. */
const SHARED_START = 5;
/** A phrase that stands in more of the collection's sentences is no part that was overlooked. */
const RARE = 0.02;
const COMPARING = new RegExp(`\\b(?:${data.comparison.join('|')})\\b\\.?`, 'gi');

/**
 * The parts of a question of which no word stands anywhere in the collection, and the side of a comparison of which nothing
 * does that tells it from the other one. `said` is what is known to stand there, in whatever form.
 */
export function unmentionedIn(question: string, { holders }: WordCounts, said: string): Unmentioned[] {
  const { asking } = readQuestion(question);
  const starts = new Set(tokensOf(said).map((token) => stemOf(token).slice(0, SHARED_START)));
  const isAbsent = (stem: string): boolean =>
    holders[stem] === 0 && !(stem.length >= SHARED_START && starts.has(stem.slice(0, SHARED_START)));
  const areAbsent = (stems: readonly string[]): boolean => stems.length > 0 && stems.every(isAbsent);
  // What the question itself explains, as “photonic crystal (PC)”, is no subject beside what it stands for.
  const explained = new Set([...abbreviationsIn(question).keys()].map(stemOf));
  const tellingIn = (phrase: string): string[] => terms(phrase).filter((stem) => !explained.has(stem));
  const sides = comparedIn(question).flatMap(([one, other]): Unmentioned[] =>
    [
      [one, other],
      [other, one],
    ].flatMap(([phrase = '', comparedWith = '']) => {
      const others = new Set(terms(comparedWith));
      const own = tellingIn(phrase).filter((stem) => !others.has(stem));
      return areAbsent(own) && !areAbsent([...others]) ? [{ phrase, comparedWith }] : [];
    }),
  );
  const phrases = parted(question, asksForEffect(question)).flatMap(({ text }): Unmentioned[] => {
    const telling = tellingIn(text).filter((stem) => !asking.has(stem));
    return areAbsent(telling) ? [{ phrase: text, comparedWith: null }] : [];
  });
  return [...sides, ...phrases.filter(({ phrase }) => !sides.some((side) => side.phrase === phrase))];
}

/**
 * The phrases of a question of which some word stands in the collection and none in what was found, and in how many sentences it
 * does; none where nothing of the question was found. What much of the collection says is told in other words.
 */
export function untoldIn(
  question: string,
  { holders, sentences: all }: WordCounts,
  found: string,
): { phrase: string; sentences: number }[] {
  const { asking } = readQuestion(question);
  const starts = new Set(tokensOf(found).map((token) => stemOf(token).slice(0, SHARED_START)));
  const phrases = parted(question, asksForEffect(question)).flatMap(({ text }) => {
    const telling = terms(text).filter((stem) => !asking.has(stem));
    const sentences = Math.max(0, ...telling.map((stem) => holders[stem] ?? 0));
    const isTold = telling.some((stem) => starts.has(stem.slice(0, SHARED_START)));
    return telling.length === 0 ? [] : [{ phrase: text, sentences, isTold }];
  });
  if (!phrases.some(({ isTold }) => isTold)) return [];
  return phrases.filter(({ isTold, sentences }) => !isTold && sentences > 0 && sentences <= RARE * all);
}

/** What stands on both sides of a word that compares. */
function comparedIn(question: string): [string, string][] {
  return [...question.matchAll(COMPARING)].flatMap(({ 0: word, index }): [string, string][] => {
    const before = parted(question.slice(0, index), false).at(-1)?.text;
    const after = parted(question.slice(index + word.length), false)[0]?.text;
    return before === undefined || after === undefined ? [] : [[before, after]];
  });
}
