import { evidenceProblems } from '../shared-checks/evidence-problems';
import { sectionsOf } from './all-sections';
import { ExtractFindingsInput, ExtractFindingsOutput } from './contract';
import { extractFindingsTemplate, extractFindingsVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const extractFindings: Step<ExtractFindingsInput, ExtractFindingsOutput, 'extract-findings'> = {
  name: 'extract-findings',
  version: '6',
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
