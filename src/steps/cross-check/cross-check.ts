import { z } from 'zod';
import { Confidence, Conflict, Evidence, Finding, Gap } from '../../contracts/report/finding';
import { SourceWindow } from '../../contracts/source/passage';
import { evidenceProblems } from '../material/evidence-problems';
import { SectionBrief } from '../extract-findings/extract-findings';
import { crossCheckTemplate, crossCheckVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const CrossCheckInput = z.object({
  question: z.string(),
  section: SectionBrief,
  /** The section's findings of pass 2. */
  findings: z.array(Finding),
  /** Further sources to hold the findings against, and those that the findings came from. */
  sources: z.array(SourceWindow),
  /** Whether numbers are checked also where the finding is sure otherwise. */
  factChecking: z.boolean(),
  /** True: every finding is checked, however sure it is. */
  checkAll: z.boolean().optional(),
  /** False: neither conflicts nor contradictions are looked for. */
  detectConflicts: z.boolean(),
});
export type CrossCheckInput = z.infer<typeof CrossCheckInput>;

export const FindingCheck = z.object({
  findingId: z.string(),
  /** Quotes of further sources that assert the same. */
  supporting: z.array(Evidence),
  /** Quotes of further sources that assert the opposite, or another number for the same thing under the same conditions. */
  contradicting: z.array(Evidence),
  confidence: Confidence,
  /** True where it was to be checked and nothing was said of it. */
  unanswered: z.literal(true).optional(),
});
export type FindingCheck = z.infer<typeof FindingCheck>;

export const CrossCheckOutput = z.object({
  checks: z.array(FindingCheck),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
});
export type CrossCheckOutput = z.infer<typeof CrossCheckOutput>;

/** Holds a section's findings against further sources: who agrees, who contradicts, what stays unanswered. */
export const crossCheck: Step<CrossCheckInput, CrossCheckOutput> = {
  name: 'cross-check',
  version: '4',
  role: 'strong',
  input: CrossCheckInput,
  output: CrossCheckOutput,
  template: crossCheckTemplate,
  variables: crossCheckVariables,
  check(input, output): StepProblem[] {
    const known = new Set(input.findings.map((finding) => finding.id));
    return [
      ...output.checks.flatMap((check): StepProblem[] => {
        const path = `checks.${check.findingId}`;
        return known.has(check.findingId)
          ? evidenceProblems(path, [...check.supporting, ...check.contradicting], input.sources)
          : [{ path, message: 'it is not one of the findings' }];
      }),
      ...output.conflicts.flatMap((conflict): StepProblem[] =>
        conflict.viewpoints.flatMap((viewpoint, index) =>
          evidenceProblems(`conflicts.${conflict.id}.viewpoints.${index}`, viewpoint.evidence, input.sources),
        ),
      ),
    ];
  },
};
