import { type Reading, weightedShare } from '../../../reading/features/features';
import { parted } from '../../../reading/question/question-kind';
import { meanOfBest } from '../../../reading/choose-sentences';
import type { RankedSentence } from '../../../reading/rank-sentences';
import { terms } from '../../../language/words';

/** A sentence tells of an outcome where it has so much of the words for it. */
const OF_THE_OUTCOME = 0.5;
/** A phrase of several words stands where more than one of two does. */
const OF_A_PHRASE = 0.6;
/** What more of the documents speak of does not tell one from another. */
const SPOKEN_OF_BY_MOST = 0.5;
/** What covers so much of what the best sentences cover is on it all the same. */
const NEARLY_AS_MUCH = 0.5;

/**
 * The sentences that are on what is asked, in their order. Where an effect is asked for they tell of what it is asked of, or of
 * one of its phrases; else a document is heard where it speaks of a phrase that others do not, in the sentence, beside it or
 * in its title, and again with sentences that do so themselves. All sentences where that tells nothing.
 */
export function onWhatIsAsked(all: readonly RankedSentence[], reading: Reading): RankedSentence[] {
  const ranked = ofTheTreatment(all, reading);
  const { question, matches, union, weights } = reading;
  const { held, columns: width } = matches;
  const phrases = tellingPhrases(reading);
  const outcome = columnsOfWords(question.last, reading);
  const share = (rows: Float32Array, sentence: number, columns: readonly number[]): number =>
    weightedShare(rows, sentence * width, weights, columns);
  const hasPhrase = (rows: Float32Array, sentence: number): boolean =>
    phrases.some((phrase) => share(rows, sentence, phrase) >= OF_A_PHRASE);
  const nearly = NEARLY_AS_MUCH * meanOfBest(ranked, 'coverage');
  const isOnIt = ({ sentence, coverage }: RankedSentence): boolean =>
    question.asksForEffect
      ? share(held, sentence, outcome) >= OF_THE_OUTCOME || hasPhrase(held, sentence)
      : coverage >= nearly || hasPhrase(union, sentence);
  const onIt = question.asksForEffect || phrases.length > 0 ? ranked.filter(isOnIt) : [];
  return onIt.length > 0 ? onIt : [...ranked];
}

/**
 * Where an effect is asked for, the sentences of documents that have any word of what is to have it: another treatment's result
 * on the same outcome is no answer. All sentences where no document has one, or no effect is asked for.
 */
function ofTheTreatment(ranked: readonly RankedSentence[], reading: Reading): readonly RankedSentence[] {
  const { question, sourceTexts, matches, weights } = reading;
  if (!question.asksForEffect) return ranked;
  const treatments = parted(question.text, true).filter(({ isOutcome }) => !isOutcome);
  const words = treatments.flatMap(({ text }) => terms(text));
  const columns = columnsOfWords(words, reading);
  const ofIt = ranked.filter(
    ({ source }) => weightedShare(sourceTexts, source * matches.columns, weights, columns) > 0,
  );
  return ofIt.length > 0 ? ofIt : ranked;
}

/** The phrases that say what is asked about, without what most of the documents speak of. */
function tellingPhrases(reading: Reading): number[][] {
  const { question, sourceTexts, matches, weights, collection } = reading;
  const { text, asksForEffect, asking } = question;
  const places = [...collection.sources.keys()];
  return parted(text, asksForEffect)
    .filter(({ isOutcome }) => isOutcome || !asksForEffect)
    .map((phrase) =>
      columnsOfWords(
        terms(phrase.text).filter((word) => !asking.has(word)),
        reading,
      ),
    )
    .filter((columns) => {
      const speaking = places.filter(
        (source) => weightedShare(sourceTexts, source * matches.columns, weights, columns) >= OF_A_PHRASE,
      );
      return columns.length > 0 && speaking.length <= SPOKEN_OF_BY_MOST * places.length;
    });
}

function columnsOfWords(words: readonly string[], { question }: Reading): number[] {
  return [...new Set(words)].flatMap((word) => {
    const column = question.words.indexOf(word);
    return column < 0 ? [] : [column];
  });
}
