import { draftProblems } from '../shared-checks/draft-problems';
import type { Step, StepProblem } from '../step';
import { WriteBriefInput, WriteBriefOutput } from './contract';
import { citedSourcesText, disagreements, planText, statementsBySubtopic } from '../material/brief-material';
import { BRIEF_CONSTRAINTS, BRIEF_SYSTEM, wantedOf } from '../material/brief-rules';
import { mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { findingShortIds, shortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';

const writeBriefTemplate: StepTemplate = {
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

export const writeBrief: Step<WriteBriefInput, WriteBriefOutput, 'write-brief'> = {
  name: 'write-brief',
  version: '1',
  role: 'strong',
  input: WriteBriefInput,
  output: WriteBriefOutput,
  template: writeBriefTemplate,
  variables: writeBriefVariables,
  check(input, output): StepProblem[] {
    const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
    const wanted = new Set(input.parts.map(({ id }) => id));
    return output.parts.flatMap(({ id, draft }) => [
      ...(wanted.delete(id) ? [] : [{ path: id, message: 'it is not one of the parts, or is there twice' }]),
      ...draftProblems({ sources: input.sources, findings }, draft).map(({ path, message }) => ({
        path: `${id}.${path}`,
        message,
      })),
    ]);
  },
};

function writeBriefVariables(input: WriteBriefInput, mark: string): Record<string, string> {
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
