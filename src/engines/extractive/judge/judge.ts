import type { JudgeInput, JudgeOutput } from '../../../steps/judge/contract';
import { bias } from './bias';
import { coherence } from './coherence';
import { completeness } from './completeness';
import { coverage } from './coverage';
import { factualAccuracy } from './factual-accuracy';
import { preparedDocument } from './prepared-document';

/** What can be measured of a text, as five scores with the figures that they are made of. */
export function judgeByMeasures({ document }: JudgeInput): JudgeOutput {
  const prepared = preparedDocument(document);
  return {
    by: 'measures',
    factualAccuracy: factualAccuracy(prepared),
    completeness: completeness(prepared),
    coverage: coverage(prepared),
    coherence: coherence(prepared),
    bias: bias(prepared),
  };
}
