import { z } from 'zod';
import { SectionFindings } from '../../contracts/report/finding';
import { WordCounts } from '../../contracts/report/word-counts';
import { SourceWindow } from '../../contracts/source/passage';
import { evidenceProblems } from '../material/evidence-problems';
import { sectionsOf } from './extract-findings-sections';
import { extractFindingsTemplate, extractFindingsVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** What a section is about, as a step needs to know it. */
export const SectionBrief = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  subsections: z.array(z.string()),
});
export type SectionBrief = z.infer<typeof SectionBrief>;

export const ExtractFindingsInput = z.object({
  question: z.string(),
  section: SectionBrief,
  /** Sections that the same sources are read for in the same call; each finding belongs to one of all. */
  alsoFor: z.array(SectionBrief).optional(),
  /** Most relevant first, or in the order of all sources. */
  sources: z.array(SourceWindow),
  /** How many findings are wanted where the material has them, for all sections together. */
  findings: z.object({ min: z.int().positive(), max: z.int().positive() }),
  /** How rare the question's words are in the whole texts of all sources. */
  counts: WordCounts.optional(),
});
export type ExtractFindingsInput = z.infer<typeof ExtractFindingsInput>;

export const ExtractFindingsOutput = SectionFindings.pick({ sectionId: true, findings: true });
export type ExtractFindingsOutput = z.infer<typeof ExtractFindingsOutput>;

/** Results that the sources themselves assert and that help to answer the question, each with verbatim quotes. */
export const extractFindings: Step<ExtractFindingsInput, ExtractFindingsOutput> = {
  name: 'extract-findings',
  version: '2',
  role: 'strong',
  input: ExtractFindingsInput,
  output: ExtractFindingsOutput,
  template: extractFindingsTemplate,
  variables: extractFindingsVariables,
  check(input, output): StepProblem[] {
    const problems: StepProblem[] = [];
    const ids = new Set<string>();
    const sections = new Set(sectionsOf(input).map(({ id }) => id));
    for (const finding of output.findings) {
      const path = `findings.${finding.id}`;
      if (ids.has(finding.id)) problems.push({ path, message: 'the id is used twice' });
      ids.add(finding.id);
      if (!sections.has(finding.sectionId))
        problems.push({ path, message: `it belongs to section ${finding.sectionId}` });
      const quoted = new Set(finding.evidence.map((evidence) => evidence.sourceId));
      for (const id of finding.citations.filter((citation) => !quoted.has(citation))) {
        problems.push({ path, message: `source ${id} is cited without a quote` });
      }
      problems.push(...evidenceProblems(path, finding.evidence, input.sources));
    }
    return problems;
  },
};
