import type { StepTemplate } from '../template';
import { conflictsText, findingsText, mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { findingShortIds, shortIds } from '../material/short-ids';
import type { PlanBriefInput } from './contract';

export const planBriefTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{findings}}

{{conflicts}}

A report is to answer: {{question}}
Its parts, in order: {{parts}}
It is to have {{words}} words in all.
Plan it.`,
};

export function planBriefVariables(input: PlanBriefInput, mark: string): Record<string, string> {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const ids = findingShortIds(findings);
  const sources = shortIds('S', mentionedSources([], findings, input.conflicts));
  return {
    mark,
    question: promptLine(input.question),
    parts: input.parts.map(({ id, title }) => `${id} (${promptLine(title)})`).join('; '),
    words: `${input.words ?? input.maxWords}`,
    findings: materialBlock(
      mark,
      'findings',
      input.subtopics
        .map(({ title, findings: told }) => `[${promptLine(title)}]\n${findingsText(told, sources, ids)}`)
        .join('\n\n'),
    ),
    conflicts: materialBlock(mark, 'conflicts', conflictsText(input.conflicts, sources)),
  };
}
