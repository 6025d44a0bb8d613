import { z } from 'zod';
import { ReportFrame, SectionDraft } from '../contracts/draft';
import { Confidence, Conflict, Finding, Gap } from '../contracts/finding';
import { BriefPart, BriefPlan, OutlineSection } from '../contracts/outline';
import { citedIds } from '../lib/citation-marks';
import { CitableSource, SectionScope } from './material';
import { type Step, type StepProblem, WITHOUT_PROMPT } from './step';

export const WriteSectionInput = z.object({
  question: z.string(),

  /** The subsections say which sources belong under which heading. */
  section: OutlineSection.omit({ relevantSources: true }),
  findings: z.array(Finding),
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
  targetWords: z.int().positive(),
  /** What an earlier text of the section lacks: how many sources it cites, and the findings of others, to be told of first. */
  lacking: z.object({ cited: z.int().nonnegative(), findingIds: z.array(z.string()).min(1) }).optional(),
});
export type WriteSectionInput = z.infer<typeof WriteSectionInput>;

export const WriteSectionOutput = SectionDraft;
export type WriteSectionOutput = SectionDraft;

export const WriteSummaryInput = z.object({
  question: z.string(),

  overallTheme: z.string(),
  /** In outline order, each with the findings that its text rests on, strongest first. */
  sections: z.array(z.object({ section: SectionScope, findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  sources: z.array(CitableSource),
  /** Findings from this confidence on are the major ones, on which the summary rests where there are any. */
  confidenceThreshold: Confidence.optional(),
});
export type WriteSummaryInput = z.infer<typeof WriteSummaryInput>;

export const WriteSummaryOutput = ReportFrame;
export type WriteSummaryOutput = ReportFrame;

export const writeSummary: Step<WriteSummaryInput, WriteSummaryOutput, 'write-summary'> = {
  name: 'write-summary',
  version: '10',
  role: 'strong',
  input: WriteSummaryInput,
  output: WriteSummaryOutput,
  template: WITHOUT_PROMPT,
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
  /** In the template's order, each subtopic among them. */
  parts: z.array(BriefPart.pick({ id: true, title: true })).min(1),
  subtopics: z.array(z.object({ id: z.string(), title: z.string(), findings: z.array(Finding) })),
  /** The words that there are for all parts together; null for as many as it takes, up to `maxWords`. */
  words: z.int().positive().nullable(),
  maxWords: z.int().positive(),
  /**
   * `words` and `maxWords` leave room for a list of all sources, and only those that are cited are listed: the words of each one's
   * line by its id, and the words that there are for the parts and the list together.
   */
  list: z
    .object({
      lines: z.record(z.string(), z.int().nonnegative()),
      words: z.int().positive().nullable(),
      maxWords: z.int().positive(),
    })
    .optional(),
});
export type PlanBriefInput = z.infer<typeof PlanBriefInput>;

/** Shares the words of a brief out to its parts, and chooses what they quote where no model writes them. */
export const planBrief: Step<PlanBriefInput, BriefPlan, 'plan-brief'> = {
  name: 'plan-brief',
  version: '1',
  role: 'strong',
  input: PlanBriefInput,
  output: BriefPlan,
  template: WITHOUT_PROMPT,
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

/** What is wrong with a text on findings: what it cites and rests on has to have been given, and claims have to stand in it. */
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
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check: draftProblems,
};

export const WriteBriefPartInput = z.object({
  part: BriefPart,
  /** What it may quote. */
  findings: z.array(Finding),
  /** Conflicts in which they stand. */
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
});
export type WriteBriefPartInput = z.infer<typeof WriteBriefPartInput>;

/** A part as rows of quoted statements, where no model writes it. */
export const writeBriefPart: Step<WriteBriefPartInput, SectionDraft, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: SectionDraft,
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check: draftProblems,
};
