import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { JudgeOpinion } from '../../contracts/judge/judgement';
import type { Encoder } from '../../encoder/encoder';
import { percent } from '../../core/judge/score-of';
import { logOddsBy, MEANING_WEIGHTS, TOLD_FEATURES, toldFeatures } from '../../reading/features/meaning';
import { probability } from '../../reading/features/score';
import { nearnessTo } from '../../reading/rank-by-meaning';
import { preparedDocument } from './prepared-document';

/** A text whose sentences answer so likely on the mean answers; one of which they do it no likelier than this is about the question. */
const ANSWERS = 0.15;
const TALKS = 0.05;
/** However little it answers, what is better told than something else is worth a little more. */
const LEAST = 0.1;
/** A brief tells subtopics that somebody chose: how far it does is its completeness. */
const CHOSEN = /^subtopic-/;
const DIMENSIONS = ['factualAccuracy', 'completeness', 'coverage', 'coherence', 'bias'] as const;

/** How far a text answers its question, 0–1, by what its sentences mean; null where they are read by their words alone, or are a brief's. */
export async function answeredByText(
  document: JudgedDocument,
  encoder: Encoder | null,
): Promise<number | null> {
  const { sentences } = preparedDocument(document);
  const isBrief = document.topics.some(({ id }) => CHOSEN.test(id));
  if (encoder === null || isBrief || sentences.length === 0) return null;
  const citing = sentences.filter(({ cites }) => cites.length > 0);
  const texts = (citing.length > 0 ? citing : sentences).map(({ plain }) => quoteIn(plain));
  const near = await nearnessTo(
    encoder,
    document.question,
    texts.map((text) => ({ text, title: '' })),
  );
  const likely = near.map((one, at) =>
    probability(logOddsBy(TOLD_FEATURES, MEANING_WEIGHTS.told, toldFeatures(one, texts[at] ?? ''))),
  );
  const mean = likely.reduce((sum, one) => sum + one, 0) / likely.length;
  return Math.max(LEAST, Math.min(1, (mean - TALKS) / (ANSWERS - TALKS)));
}

/** What is good of a text that does not answer is of no use to who asked: every score is taken down as far as it does not. */
export function asFarAsAnswered(opinion: JudgeOpinion, answered: number | null): JudgeOpinion {
  if (answered === null || answered === 1) return opinion;
  const why = `It answers ${percent(answered)} of what a text that answers does.`;
  const lowered = DIMENSIONS.map((name) => {
    const { score, reason, ...rest } = opinion[name];
    return [
      name,
      { ...rest, score: 1 + Math.round(100 * (score - 1) * answered) / 100, reason: `${reason} ${why}` },
    ];
  });
  return { ...opinion, ...(Object.fromEntries(lowered) as Pick<JudgeOpinion, (typeof DIMENSIONS)[number]>) }; // each under its name
}

/** A quote without the words that frame it, where there is one. */
function quoteIn(sentence: string): string {
  const quotes = [...sentence.matchAll(/“([^”]+)”?/g)].map(([, quote = '']) => quote);
  return quotes.sort((a, b) => b.length - a.length)[0] ?? sentence;
}
