import type { EncodedText, Encoder } from '../../encoder/encoder';
import { cosine, type LookedFor, lookedFor, nearnessOfPhrase } from '../../encoder/late-interaction';
import { stemOf } from '../../language/words';
import trained from '../data/effect-weights.json';
import { logOddsBy, type NamedWeights, rounded } from '../features/meaning';
import { probability } from '../features/score';
import { namesCause, namesOutcome } from './names-cause';
import type { Question } from './question';

/** What a source says, and how it is called: what a sentence calls `the intervention` its title names. */
export interface TitledText {
  text: string;
  title: string;
}

/** How likely a result is of what a question asks the effect of, and how likely on what it asks the effect on, 0–1. */
export interface Bearing {
  ofCause: number;
  onOutcome: number;
}

/** Whether it is likelier than not. */
export function bears(likely: number): boolean {
  return likely > 0.5;
}

/**
 * What is measured of a result: how near what is asked to have the effect comes to the title, and to the title or the sentence, and the
 * whole sentence to the whole question; how near what the effect is asked on comes to the sentence. The title tells what was tried, not what was found.
 */
export const CAUSE_FEATURES = ['causeInTitle', 'cause', 'cosine'] as const;
export const OUTCOME_FEATURES = ['outcome'] as const;

export type CauseFeature = (typeof CAUSE_FEATURES)[number];
export type OutcomeFeature = (typeof OUTCOME_FEATURES)[number];

const CAUSE: NamedWeights<CauseFeature> = trained.cause;
const OUTCOME: NamedWeights<OutcomeFeature> = trained.outcome;

/** By shared words, of one that is asked about more than half; where the question names but one thing, everything bears on it. */
export function bearingByWords({ text, title }: TitledText, asked: Question): Bearing {
  return {
    ofCause: Number(namesCause(`${title} ${text}`, asked)),
    onOutcome: Number(namesOutcome(text, asked)),
  };
}

/** By what they mean: what nuts do is told of almonds, and an enzyme called after creatine is not creatine. In the order of the texts. */
export async function bearingByMeaning(
  encoder: Encoder,
  texts: readonly TitledText[],
  asked: Question,
): Promise<Bearing[]> {
  if (asked.concepts.length < 2) return texts.map(() => ({ ofCause: 1, onOutcome: 1 }));
  const near = await nearnessToEffect(encoder, texts, asked);
  return near.map((features) => ({
    ofCause: probability(logOddsBy(CAUSE_FEATURES, CAUSE, features)),
    onOutcome: probability(logOddsBy(OUTCOME_FEATURES, OUTCOME, features)),
  }));
}

/** The features of texts, for each −1 to 1, rounded to thousandths; in the order of the texts. */
export async function nearnessToEffect(
  encoder: Encoder,
  texts: readonly TitledText[],
  asked: Question,
): Promise<Record<CauseFeature | OutcomeFeature, number>[]> {
  // What has no title is its own.
  const titles = texts.map(({ text, title }) => title || text);
  const [question, ...encoded] = await encoder.encode([
    asked.text,
    ...texts.map(({ text }) => text),
    ...titles,
  ]);
  if (question === undefined) return [];
  const wordsOf = (phrase: readonly string[]): LookedFor[] =>
    lookedFor(question, (word) => phrase.includes(stemOf(word)));
  const [causes, outcomes] = [asked.causes.map(wordsOf), asked.outcomes.map(wordsOf)];
  const nearest = (phrases: readonly LookedFor[][], within: readonly EncodedText[]): number =>
    rounded(Math.max(0, ...phrases.map((words) => nearnessOfPhrase(question, words, within))));
  return texts.flatMap((_text, at) => {
    const [sentence, title] = [encoded[at], encoded[texts.length + at]];
    if (sentence === undefined || title === undefined) return [];
    return [
      {
        causeInTitle: nearest(causes, [title]),
        cause: nearest(causes, [sentence, title]),
        cosine: rounded(cosine(question, sentence)),
        outcome: nearest(outcomes, [sentence]),
      },
    ];
  });
}
