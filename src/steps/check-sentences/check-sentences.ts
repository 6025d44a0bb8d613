import { z } from 'zod';
import { Evidence } from '../../contracts/report/finding';
import { SourceId } from '../../contracts/source/source';
import { checkSentencesTemplate, checkSentencesVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const CheckSentencesInput = z.object({
  /** What was written, each without its citation marks, and the sources that it cites. */
  sentences: z.array(z.object({ id: z.string(), text: z.string(), sourceIds: z.array(SourceId).min(1) })),
  /** All that they may rest on: the quotes of the findings, nothing else of the sources. */
  evidence: z.array(Evidence),
});
export type CheckSentencesInput = z.infer<typeof CheckSentencesInput>;

export const SentenceVerdict = z.object({
  sentenceId: z.string(),
  borne: z.boolean(),
  /** Where it stands in the evidence; a verdict without it confirms nothing. */
  evidence: Evidence.nullable(),
  reason: z.string(),
});
export type SentenceVerdict = z.infer<typeof SentenceVerdict>;

export const CheckSentencesOutput = z.object({ verdicts: z.array(SentenceVerdict) });
export type CheckSentencesOutput = z.infer<typeof CheckSentencesOutput>;

/** Says of written sentences whether the quotes that they cite say so, with the quote that does. */
export const checkSentences: Step<CheckSentencesInput, CheckSentencesOutput> = {
  name: 'check-sentences',
  version: '1',
  role: 'critic',
  input: CheckSentencesInput,
  output: CheckSentencesOutput,
  template: checkSentencesTemplate,
  variables: checkSentencesVariables,
  check(input, { verdicts }): StepProblem[] {
    const sentences = new Map(input.sentences.map((sentence) => [sentence.id, sentence]));
    return verdicts.flatMap(({ sentenceId, borne, evidence }, index): StepProblem[] => {
      const path = `verdicts.${index}`;
      const sentence = sentences.get(sentenceId);
      if (sentence === undefined) return [{ path, message: 'it is on none of the sentences' }];
      if (!borne || evidence === null) return [];
      const held = input.evidence.some(
        ({ sourceId, quote, start }) =>
          sourceId === evidence.sourceId &&
          quote.slice(evidence.start - start, evidence.end - start) === evidence.quote,
      );
      return held && sentence.sourceIds.includes(evidence.sourceId)
        ? []
        : [{ path, message: 'its quote does not stand in what the sentence cites' }];
    });
  },
};
