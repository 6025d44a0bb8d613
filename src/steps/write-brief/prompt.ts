import { citedSourcesText, disagreements, planText, statementsBySubtopic } from '../material/brief-material';
import { BRIEF_CONSTRAINTS, BRIEF_SYSTEM, wantedOf } from '../material/brief-rules';
import { mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { findingShortIds, shortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import type { WriteBriefInput } from './contract';

export const writeBriefTemplate: StepTemplate = {
  system: BRIEF_SYSTEM,
  user: `{{sources}}

{{findings}}

{{conflicts}}

{{plan}}

You write a brief from these statements of summaries, and nothing else.
The brief answers: {{question}}

Begin with a line "# " and a title. Then write these parts, in this order, each under a line of its own, exactly as it stands here:
{{parts}}

- Maximum length: {{words}}
${BRIEF_CONSTRAINTS}`,
};

export function writeBriefVariables(input: WriteBriefInput, mark: string): Record<string, string> {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const sources = shortIds('S', mentionedSources(input.sources, findings, input.conflicts));
  return {
    mark,
    question: promptLine(input.question),
    parts: input.parts
      .map(
        ({ id, title, instruction }) => `## ${promptLine(title)}\n(${promptLine(wantedOf(id, instruction))})`,
      )
      .join('\n'),
    words: lengthOf(input),
    sources: materialBlock(mark, 'sources', citedSourcesText({ ...input, findings }, sources)),
    findings: materialBlock(
      mark,
      'findings',
      statementsBySubtopic(input.subtopics, sources, findingShortIds(findings)),
    ),
    conflicts: disagreements(input.conflicts, sources, mark),
    plan: planText(input.plan, mark),
  };
}

/** A length that is wanted is a target as well. */
function lengthOf({ words, maxWords }: WriteBriefInput): string {
  return words === null
    ? `${maxWords} words.`
    : `${words} words; come close to it where the statements allow.`;
}
