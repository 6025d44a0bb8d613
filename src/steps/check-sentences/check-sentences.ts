import { CheckSentencesInput, CheckSentencesOutput } from './contract';
import { checkSentencesTemplate, checkSentencesVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Says of written sentences whether the quotes that they cite say so, with the quote that does. */
export const checkSentences: Step<CheckSentencesInput, CheckSentencesOutput, 'check-sentences'> = {
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
