import { z } from 'zod';
import { ReportSummary, SectionDraft } from '../contracts/draft';
import { Confidence, Conflict, Finding, Gap } from '../contracts/finding';
import { BriefPart, BriefPlan, OutlineSection } from '../contracts/outline';
import { citedIds } from '../lib/citation-marks';
import { CitableSource, SectionScope } from './material';
import { EMPTY_TEMPLATE, type Step, type StepProblem } from './step';

export const WriteSectionInput = z.object({
  question: z.string(),

  section: OutlineSection.omit({ relevantSources: true }),
  findings: z.array(Finding),
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
  targetWords: z.int().positive(),
  /** Gaps of an earlier text: sources cited, and findings to mention first. */
  lacking: z.object({ cited: z.int().nonnegative(), findingIds: z.array(z.string()).min(1) }).optional(),
});
export type WriteSectionInput = z.infer<typeof WriteSectionInput>;

export const WriteSectionOutput = SectionDraft;
export type WriteSectionOutput = SectionDraft;

export const WriteSummaryInput = z.object({
  question: z.string(),

  overallTheme: z.string(),
  /** In outline order; findings strongest first. */
  sections: z.array(z.object({ section: SectionScope, findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  sources: z.array(CitableSource),
  /** Minimum confidence of major findings, which the summary prefers. */
  confidenceThreshold: Confidence.optional(),
});
export type WriteSummaryInput = z.infer<typeof WriteSummaryInput>;

export const WriteSummaryOutput = ReportSummary;
export type WriteSummaryOutput = ReportSummary;

export const writeSummary: Step<WriteSummaryInput, WriteSummaryOutput, 'write-summary'> = {
  name: 'write-summary',
  version: '10',
  role: 'strong',
  input: WriteSummaryInput,
  output: WriteSummaryOutput,
  template: EMPTY_TEMPLATE,
  variables: () => ({}),
  check(input, output): StepProblem[] {
    const citable = new Set(input.sources.map((source) => source.sourceId));
    return output.bullets.flatMap((bullet, index) =>
      citedIds(bullet)
        .filter((id) => !citable.has(id))
        .map((id) => ({ path: `bullets.${index}`, message: `source ${id} is cited, but was not given` })),
    );
  },
};

export const PlanBriefInput = z.object({
  question: z.string(),
  /** In template order, including the subtopics. */
  parts: z.array(BriefPart.pick({ id: true, title: true })).min(1),
  subtopics: z.array(z.object({ id: z.string(), title: z.string(), findings: z.array(Finding) })),
  /** Words for all parts; null for as many as needed, up to `maxWords`. */
  words: z.int().positive().nullable(),
  maxWords: z.int().positive(),
  /** Present if only cited sources are listed: words per line, and totals with the list. */
  list: z
    .object({
      lines: z.record(z.string(), z.int().nonnegative()),
      words: z.int().positive().nullable(),
      maxWords: z.int().positive(),
    })
    .optional(),
});
export type PlanBriefInput = z.infer<typeof PlanBriefInput>;

export const planBrief: Step<PlanBriefInput, BriefPlan, 'plan-brief'> = {
  name: 'plan-brief',
  version: '1',
  role: 'strong',
  input: PlanBriefInput,
  output: BriefPlan,
  template: EMPTY_TEMPLATE,
  variables: () => ({}),
  check(input, output): StepProblem[] {
    const known = new Set(input.subtopics.flatMap(({ findings }) => findings.map(({ id }) => id)));
    const wanted = input.parts.map(({ id }) => id).join();
    const problems = output.parts.flatMap(({ findingIds }, index) =>
      findingIds
        .filter((id) => !known.has(id))
        .map((id) => ({ path: `parts.${index}.findingIds`, message: `${id} is not one of the findings` })),
    );
    if (output.parts.map(({ id }) => id).join() !== wanted)
      problems.push({ path: 'parts', message: `they must be ${wanted}, in that order` });
    return problems;
  },
};

/** Unknown citations or findings, and claims that are missing in the text. */
function draftProblems(
  { sources, findings }: { sources: readonly { sourceId: string }[]; findings: readonly { id: string }[] },
  { markdown, claims }: SectionDraft,
): StepProblem[] {
  const problems: StepProblem[] = [];
  const citable = new Set(sources.map((source) => source.sourceId));
  const known = new Set(findings.map((finding) => finding.id));
  for (const id of citedIds(markdown)) {
    if (!citable.has(id))
      problems.push({ path: 'markdown', message: `source ${id} is cited, but was not given` });
  }
  let from = 0;
  claims.forEach((claim, index) => {
    const at = markdown.indexOf(claim.text, from);
    if (at < 0)
      problems.push({ path: `claims.${index}`, message: 'its text is not in the Markdown at its turn' });
    else from = at + claim.text.length;
    if (citedIds(claim.text).length === 0)
      problems.push({ path: `claims.${index}`, message: 'it cites no source' });
    for (const id of claim.findingIds) {
      if (!known.has(id))
        problems.push({ path: `claims.${index}`, message: `${id} is not one of the findings` });
    }
  });
  return problems;
}

export const writeSection: Step<WriteSectionInput, WriteSectionOutput, 'write-section'> = {
  name: 'write-section',
  version: '11',
  role: 'strong',
  input: WriteSectionInput,
  output: WriteSectionOutput,
  template: EMPTY_TEMPLATE,
  variables: () => ({}),
  check: draftProblems,
};

export const WriteBriefPartInput = z.object({
  part: BriefPart,
  findings: z.array(Finding),
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
});
export type WriteBriefPartInput = z.infer<typeof WriteBriefPartInput>;

export const writeBriefPart: Step<WriteBriefPartInput, SectionDraft, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: SectionDraft,
  template: EMPTY_TEMPLATE,
  variables: () => ({}),
  check: draftProblems,
};
