import type { StepTemplate } from '../template';
import { conflictsText, findingsText, mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { findingShortIds, shortIds } from '../material/short-ids';
import type { WriteBriefPartInput } from './contract';

export const writeBriefPartTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{findings}}

{{conflicts}}

{{told}}

A report answers: {{question}}
Write the part "{{title}}", about {{words}} words. {{instruction}}
{{revision}}`,
};

export function writeBriefPartVariables(input: WriteBriefPartInput, mark: string): Record<string, string> {
  const ids = findingShortIds(input.findings);
  const sources = shortIds('S', mentionedSources(input.sources, input.findings, input.conflicts));
  return {
    mark,
    question: promptLine(input.question),
    title: promptLine(input.part.title),
    words: `${input.part.words}`,
    instruction: [input.instruction, input.part.guidance].map(promptLine).join(' ').trim(),
    findings: materialBlock(mark, 'findings', findingsText(input.findings, sources, ids)),
    conflicts: materialBlock(mark, 'conflicts', conflictsText(input.conflicts, sources)),
    told: materialBlock(mark, 'told', input.told.map(({ text }) => `- ${promptLine(text)}`).join('\n')),
    revision: (input.revision?.problems ?? []).map(({ reason }) => promptLine(reason)).join('\n'),
  };
}
