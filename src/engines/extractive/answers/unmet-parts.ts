import { tokensOf } from '../../../language/tokens';
import { terms } from '../../../language/words';
import { type Reading, weightedShare } from '../../../reading/features/features';
import { parted, type Phrase } from '../../../reading/question/question-kind';
import type { RankedSentence } from '../../../reading/rank-sentences';

/** A part of a question that sentences do not speak of, in the question's words. */
export interface UnmetPart {
  text: string;
  /** Of the whole question's weight. */
  share: number;
}

/** A part is met around a sentence where so much of its weight stands there; in a quote by itself, with its title, more of it. */
const MET_AROUND = 0.5;
const MET_IN_QUOTE = 0.6;
/** Words that stand in what means the same, in other words, come so near to it: cosines of tokens. */
const MEANT = 0.5;
/** “of ” within a phrase, once for each of its words at most. */
const OF_LENGTH = 3;

/** What a question asks about and neither the sentence nor what stands beside it, title among it, speaks of. */
export function unmetAround(reading: Reading, ranked: RankedSentence): UnmetPart[] {
  const { matches, union, weights } = reading;
  return unmetParts(
    reading,
    (columns, { text }) =>
      weightedShare(union, ranked.sentence * matches.columns, weights, columns) >= MET_AROUND ||
      isMeant(text, [ranked]),
  );
}

/**
 * What a question asks about and the quoted sentences are not on: an outcome that neither a quote nor its title names; anything
 * else that what is read of their documents names nowhere.
 */
export function unmetInQuotes(reading: Reading, quoted: readonly RankedSentence[]): UnmetPart[] {
  const { matches, titles, sourceTexts, weights, collection } = reading;
  const width = matches.columns;
  const rows = quoted.map(({ sentence }) => {
    const from = (collection.sourceOf[sentence] ?? 0) * width;
    const own = matches.held.subarray(sentence * width, (sentence + 1) * width);
    return {
      quote: own.map((held, column) => Math.max(held, titles[from + column] ?? 0)),
      document: sourceTexts.subarray(from, from + width),
    };
  });
  return unmetParts(
    reading,
    (columns, { isOutcome, text }) =>
      isMeant(text, quoted) ||
      rows.some(
        ({ quote, document }) =>
          weightedShare(isOutcome ? quote : document, 0, weights, columns) >= MET_IN_QUOTE,
      ),
  );
}

/** Whether sentences that were read by their meaning, or their titles, speak of a phrase, if in other words. */
function isMeant(phrase: string, ranked: readonly RankedSentence[]): boolean {
  const nearest = tokensOf(phrase).flatMap((word) => {
    const near = ranked.flatMap(({ meaning }) => meaning?.words.get(word) ?? []);
    return near.length === 0 ? [] : [Math.max(...near)];
  });
  if (nearest.length === 0) return false;
  return nearest.reduce((sum, near) => sum + near, 0) / nearest.length >= MEANT;
}

function unmetParts(
  { question, weights, whole }: Reading,
  isMet: (columns: readonly number[], phrase: Phrase) => boolean,
): UnmetPart[] {
  const columnOf = new Map(question.words.map((word, column) => [word, column]));
  return parted(question.text, question.asksForEffect).flatMap((phrase): UnmetPart[] => {
    const { text } = phrase;
    const telling = new Set(terms(text).filter((word) => !question.asking.has(word)));
    const columns = [...telling].flatMap((word) => columnOf.get(word) ?? []);
    if (columns.length === 0 || isMet(columns, phrase)) return [];
    const weight = columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0);
    return [{ text: asWritten(text, question.text), share: weight / whole }];
  });
}

/** A phrase as the question has it, with the function words within it. */
function asWritten(phrase: string, question: string): string {
  const words = phrase.split(' ');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const start = question.indexOf(first);
  const end = question.indexOf(last, start + phrase.length - last.length) + last.length;
  const isNear = start >= 0 && end > start && end - start <= phrase.length + OF_LENGTH * words.length;
  return isNear ? question.slice(start, end) : phrase;
}
