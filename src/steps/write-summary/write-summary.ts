import { z } from 'zod';
import { citedIds } from '../../core/text/citation-marks';
import { ReportFrame } from '../../contracts/report/draft';
import { Confidence, Conflict, Finding, Gap } from '../../contracts/report/finding';
import { SectionBrief } from '../extract-findings/extract-findings';
import { writeSummaryTemplate, writeSummaryVariables } from './prompt';
import type { Step, StepProblem } from '../step';
import { CitableSource } from '../write-section/write-section';

export const WriteSummaryInput = z.object({
  question: z.string(),
  overallTheme: z.string(),
  /** In outline order, each with the findings that its text rests on, strongest first. */
  sections: z.array(z.object({ section: SectionBrief, findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  sources: z.array(CitableSource),
  /** Sentences of the sections that a critic confirmed; a bullet may say what they say. */
  told: z.array(z.object({ text: z.string(), findingIds: z.array(z.string()) })).optional(),
  /** Findings from this confidence on are the major ones, on which the summary rests where there are any. */
  confidenceThreshold: Confidence.optional(),
});
export type WriteSummaryInput = z.infer<typeof WriteSummaryInput>;

export const WriteSummaryOutput = ReportFrame;
export type WriteSummaryOutput = ReportFrame;

/** The report's title, its Executive Summary as bullets, and questions to ask next. */
export const writeSummary: Step<WriteSummaryInput, WriteSummaryOutput> = {
  name: 'write-summary',
  version: '4',
  role: 'strong',
  input: WriteSummaryInput,
  output: WriteSummaryOutput,
  template: writeSummaryTemplate,
  variables: writeSummaryVariables,
  check(input, output): StepProblem[] {
    const citable = new Set(input.sources.map((source) => source.sourceId));
    return output.bullets.flatMap((bullet, index) =>
      citedIds(bullet)
        .filter((id) => !citable.has(id))
        .map((id) => ({ path: `bullets.${index}`, message: `source ${id} is cited, but was not given` })),
    );
  },
};
