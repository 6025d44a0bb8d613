import { z } from 'zod';
import { citedIds } from '../../core/text/citation-marks';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { OutlineSection } from '../../contracts/report/outline';
import { SourceId, SourceQuality } from '../../contracts/source/source';
import { writeSectionTemplate, writeSectionVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** What a writer may say of a source besides its quotes. */
export const CitableSource = z.object({
  sourceId: SourceId,
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
});
export type CitableSource = z.infer<typeof CitableSource>;

export const WriteSectionInput = z.object({
  question: z.string(),
  /** The subsections say which sources belong under which heading. */
  section: OutlineSection.omit({ relevantSources: true }),
  findings: z.array(Finding),
  /** Conflicts in which findings of this section stand. */
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
  targetWords: z.int().positive(),
  /** What an earlier text of the section lacks: how many sources it cites, and the findings of others, to be told of first. */
  lacking: z.object({ cited: z.int().nonnegative(), findingIds: z.array(z.string()).min(1) }).optional(),
  /** Sentences of an earlier text that what they cite does not bear, each with the reason. */
  refused: z.array(z.object({ text: z.string(), reason: z.string() })).optional(),
});
export type WriteSectionInput = z.infer<typeof WriteSectionInput>;

export const WriteSectionOutput = SectionDraft;
export type WriteSectionOutput = SectionDraft;

/** Words one section from its findings, so that every claim carries its citations. */
export const writeSection: Step<WriteSectionInput, WriteSectionOutput> = {
  name: 'write-section',
  version: '4',
  role: 'strong',
  input: WriteSectionInput,
  output: WriteSectionOutput,
  template: writeSectionTemplate,
  variables: writeSectionVariables,
  check(input, output): StepProblem[] {
    const problems: StepProblem[] = [];
    const citable = new Set(input.sources.map((source) => source.sourceId));
    const findings = new Set(input.findings.map((finding) => finding.id));
    for (const id of citedIds(output.markdown)) {
      if (!citable.has(id))
        problems.push({ path: 'markdown', message: `source ${id} is cited, but was not given` });
    }
    let from = 0;
    output.claims.forEach((claim, index) => {
      const at = output.markdown.indexOf(claim.text, from);
      if (at < 0)
        problems.push({ path: `claims.${index}`, message: 'its text is not in the Markdown at its turn' });
      else from = at + claim.text.length;
      if (citedIds(claim.text).length === 0)
        problems.push({ path: `claims.${index}`, message: 'it cites no source' });
      for (const id of claim.findingIds) {
        if (!findings.has(id))
          problems.push({ path: `claims.${index}`, message: `${id} is not one of the findings` });
      }
    });
    return problems;
  },
};
