import type { Encoder } from '../encoder/encoder';
import { lookedFor, nearness, type Nearness } from '../encoder/late-interaction';
import { STOP_WORDS, stemOf } from '../language/words';
import {
  logOddsBy,
  MEANING_FEATURES,
  MEANING_WEIGHTS,
  meaningFeatures,
  type MeaningWeights,
} from './features/meaning';
import type { Reading } from './features/features';
import { probability } from './features/score';
import { isAskingWord, readQuestion } from './question/question';
import type { QuestionKind } from './question/question-kind';
import { rankSentences, type RankedSentence, type RankOptions } from './rank-sentences';

/** So many of the best by words are read by their meaning, unless `read` says otherwise: each costs ten milliseconds. */
const READ_BY_MEANING = 100;

/**
 * What the cosine of the whole sentence counts beside its log-odds. A fact stands in one sentence, which is near the question as a
 * whole; what is only on what it names comes as near to each of its words. Measured in docs/evaluation.md.
 */
const COSINE = { fact: 12, other: 2 };
const ONE_FACT: readonly QuestionKind[] = ['date', 'name', 'number'];

/**
 * Sentences as `rankSentences` ranks them by words, the best of them ranked anew by what they mean; the others follow in their
 * order, without a meaning. By words alone where there is no encoder.
 */
export async function rankByMeaning(
  encoder: Encoder | null,
  reading: Reading,
  {
    meaning = MEANING_WEIGHTS,
    read = READ_BY_MEANING,
    ...options
  }: RankOptions & { meaning?: MeaningWeights; read?: number } = {},
): Promise<RankedSentence[]> {
  const byWords = rankSentences(reading, options);
  const { collection, question } = reading;
  if (encoder === null || question.words.length === 0) return byWords;
  const shortList = byWords.slice(0, read);
  const near = await nearnessTo(
    encoder,
    question.text,
    shortList.map(({ sentence, source }) => ({
      text: collection.texts[sentence] ?? '',
      title: collection.sources[source]?.title ?? '',
    })),
  );
  const at = new Map(shortList.map(({ sentence }, place) => [sentence, near[place]]));
  return rankedAnew(byWords, reading, (sentence) => at.get(sentence), meaning);
}

/** How near sentences come to a question, each with the title of what it stands in; in their order. */
export async function nearnessTo(
  encoder: Encoder,
  question: string,
  sentences: readonly { text: string; title: string }[],
): Promise<Nearness[]> {
  const texts = sentences.map(({ text }) => text);
  const titles = sentences.map(({ text, title }) => title || text);
  const [asked, ...encoded] = await encoder.encode([question, ...texts, ...titles]);
  if (asked === undefined) return [];
  const wanted = lookedFor(asked, (word) => !STOP_WORDS.has(word) && !isAskingWord(word));
  const { asksForEffect, words } = readQuestion(question);
  for (const word of wanted) if (asksForEffect && !words.includes(stemOf(word.text))) word.isChange = true;
  return sentences.flatMap((_sentence, at) => {
    const [sentence, title] = [encoded[at], encoded[sentences.length + at]];
    return sentence === undefined || title === undefined
      ? []
      : [nearness({ question: asked, wanted }, sentence, title)];
  });
}

function rankedAnew(
  byWords: readonly RankedSentence[],
  { collection, question }: Reading,
  nearnessOf: (sentence: number) => Nearness | undefined,
  { sentence: weights }: MeaningWeights = MEANING_WEIGHTS,
): RankedSentence[] {
  const cosineWeight =
    !question.asksForEffect && ONE_FACT.includes(question.kind) ? COSINE.fact : COSINE.other;
  const meant: RankedSentence[] = [];
  const others: RankedSentence[] = [];
  for (const ranked of byWords) {
    const near = nearnessOf(ranked.sentence);
    if (near === undefined) {
      others.push(ranked);
      continue;
    }
    const features = meaningFeatures(near, collection.texts[ranked.sentence] ?? '');
    const logOdds = logOddsBy(MEANING_FEATURES, weights, features);
    const score = logOdds + cosineWeight * near.cosine;
    meant.push({ ...ranked, logOdds, score, meaning: { ...near, likely: probability(logOdds) } });
  }
  return [...meant.sort((a, b) => b.score - a.score || a.sentence - b.sentence), ...others];
}
