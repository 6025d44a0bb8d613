import { AuditInput, AuditOutput } from './contract';
import { auditTemplate, auditVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Says of written sentences whether the quotes that they cite bear them, with the quote that does, or that says otherwise. */
export const audit: Step<AuditInput, AuditOutput, 'audit'> = {
  name: 'audit',
  version: '1',
  role: 'critic',
  input: AuditInput,
  output: AuditOutput,
  template: auditTemplate,
  variables: auditVariables,
  check(input, { verdicts }): StepProblem[] {
    const sentences = new Map(input.sentences.map((sentence) => [sentence.id, sentence]));
    return verdicts.flatMap(({ sentenceId, evidence }, index): StepProblem[] => {
      const path = `verdicts.${index}`;
      const sentence = sentences.get(sentenceId);
      if (sentence === undefined) return [{ path, message: 'it is on none of the sentences' }];
      if (evidence === null) return [];
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
