import type { Evidence } from '../../contracts/report/finding';
import { AuditInput, AuditOutput } from './contract';
import { auditTemplate, auditVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const audit: Step<AuditInput, AuditOutput, 'audit'> = {
  name: 'audit',
  version: '3',
  role: 'critic',
  input: AuditInput,
  output: AuditOutput,
  template: auditTemplate,
  variables: auditVariables,
  check(input, { verdicts }): StepProblem[] {
    const sentences = new Map(input.sentences.map((sentence) => [sentence.id, sentence]));
    const isHeld = (evidence: Evidence): boolean =>
      input.evidence.some(
        ({ sourceId, quote, start }) =>
          sourceId === evidence.sourceId &&
          quote.slice(evidence.start - start, evidence.end - start) === evidence.quote,
      );
    return verdicts.flatMap(({ sentenceId, quotes, notBorneBy }, index): StepProblem[] => {
      const path = `verdicts.${index}`;
      const sentence = sentences.get(sentenceId);
      if (sentence === undefined) return [{ path, message: 'it is on none of the sentences' }];
      const cites = (id: string): boolean => sentence.sourceIds.includes(id);
      return [
        ...(quotes.every((quote) => cites(quote.sourceId) && isHeld(quote))
          ? []
          : [{ path, message: 'a quote does not stand in what the sentence cites' }]),
        ...(notBorneBy.every(cites) ? [] : [{ path, message: 'it names a source that is not cited' }]),
      ];
    });
  },
};
