import type { Encoder } from '../../encoder/encoder';
import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import { answerExtractively } from './answers/answer';
import { compressExtractively } from './answers/compress';
import { planBriefExtractively, writeBriefExtractively, writeBriefPartExtractively } from './brief';
import { crossCheckExtractively } from './cross-check';
import { extractFindingsExtractively } from './extract-findings';
import { joinPlans } from '../../core/ranking/join-plans';
import { outlineExtractively } from './outline';
import { planSearchExtractively } from './plan-search';
import { scoreRelevanceExtractively } from './score-relevance';
import { summariseExtractively } from './summarise';
import { writeSectionExtractively } from './write-section';
import { writeSummaryExtractively } from './write-summary';

/** How each step is carried out without a model; pure and deterministic. Nothing is judged without a model. */
const ways: {
  [Name in Exclude<StepName, 'judge'>]: (
    input: InputOf<Name>,
    encoder: Encoder | null,
  ) => OutputOf<Name> | Promise<OutputOf<Name>>;
} = {
  summarise: summariseExtractively,
  outline: outlineExtractively,
  'merge-outlines': ({ plans }) => joinPlans(plans),
  'score-relevance': scoreRelevanceExtractively,
  'extract-findings': extractFindingsExtractively,
  'cross-check': crossCheckExtractively,
  'write-section': writeSectionExtractively,
  'write-summary': writeSummaryExtractively,
  // There is no critic without a model: nothing is confirmed.
  audit: () => ({ verdicts: [], logicalGaps: [] }),
  'rewrite-question': () => ({ queries: [] }),
  'plan-search': planSearchExtractively,
  compress: compressExtractively,
  answer: answerExtractively,
  'plan-brief': planBriefExtractively,
  'write-brief': writeBriefExtractively,
  'write-brief-part': writeBriefPartExtractively,
};

/**
 * Runs a step by name on an input that was parsed with the step's schema; by words alone without an encoder. Rejects for a name it
 * does not know.
 */
export async function runExtractiveStep(
  name: string,
  input: unknown,
  encoder: Encoder | null = null,
): Promise<unknown> {
  if (!Object.hasOwn(ways, name)) throw new Error(`The extractive engine has no step "${name}"`);
  const carryOut = ways[name as keyof typeof ways] as (input: unknown, encoder: Encoder | null) => unknown; // the caller parsed the input
  return carryOut(input, encoder);
}
