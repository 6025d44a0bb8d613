import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { JudgeOpinion } from '../../contracts/judge/judgement';
import { bias } from './bias';
import { coherence } from './coherence';
import { completeness } from './completeness';
import { coverage } from './coverage';
import { factualAccuracy } from './factual-accuracy';
import { preparedDocument } from './prepared-document';

/** What can be measured of a text, as five scores with the figures that they are made of. Pure. */
export function measuredOpinion(document: JudgedDocument): JudgeOpinion {
  const prepared = preparedDocument(document);
  if (prepared.sentences.length === 0) return nothingTold(document);
  return {
    by: 'measures',
    factualAccuracy: factualAccuracy(prepared),
    completeness: completeness(prepared),
    coverage: coverage(prepared),
    coherence: coherence(prepared),
    bias: bias(prepared),
  };
}

/** A text without a sentence is the worst in everything; whoever is to tell something is named. */
function nothingTold({ parts, topics }: JudgedDocument): JudgeOpinion {
  const ids = new Set([...parts, ...topics].map(({ id }) => id));
  const places = [...ids].map((partId) => ({ partId, quote: null }));
  const worst = { score: 1, reason: 'It tells nothing.', places };
  return {
    by: 'measures',
    factualAccuracy: worst,
    completeness: worst,
    coverage: worst,
    coherence: worst,
    bias: worst,
  };
}
