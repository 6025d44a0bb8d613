import { citedIds } from '../../core/text/citation-marks';
import { WriteSectionInput, WriteSectionOutput } from './contract';
import { writeSectionTemplate, writeSectionVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Words one section from its findings, so that every claim carries its citations. */
export const writeSection: Step<WriteSectionInput, WriteSectionOutput, 'write-section'> = {
  name: 'write-section',
  version: '5',
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
