import { disagreements, statementsBySubtopic } from '../material/brief-material';
import { BRIEF_SYSTEM, wantedOf } from '../material/brief-rules';
import { mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { findingShortIds, shortIds, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import type { PlanBriefInput } from './contract';

export const planBriefTemplate: StepTemplate = {
  system: BRIEF_SYSTEM,
  user: `{{findings}}

{{conflicts}}

{{parts}}

You plan a brief from these statements of summaries.
The brief is to answer: {{question}}
Length: {{words}}

Answer with one JSON object: {"title": "…", "parts": [{"part": "P1", "words": 150, "guidance": "…", "findings": ["F3", "F1"]}]}
- title: specific, at most 12 words, in the words of the statements.
- parts: every part of the list once, in its order, by its name.
- words: what the part is to have. Give a subtopic more where its statements say more; the words of all parts together are the length of the brief.
- guidance: one or two sentences for who writes the part: what it says first, what it connects with other parts, which disagreement it shows, what it leaves to another part. No figures.
- findings: the statements that the part tells, by their names, in the order in which it tells them. A part on a subtopic tells its own statements, and one of another subtopic only where it belongs there more. No statement stands in two subtopics. Leave none out that answers the question, has a figure that matters, or stands in a disagreement.
- The first and the last part point at the statements that matter most, across all subtopics.`,
};

export function planBriefVariables(input: PlanBriefInput, mark: string): Record<string, string> {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const cited = findings.flatMap(({ citations }) => citations.map((sourceId) => ({ sourceId })));
  const sources = shortIds('S', mentionedSources(cited, findings, input.conflicts));
  const parts = planPartIds(input);
  return {
    mark,
    question: promptLine(input.question),
    parts: materialBlock(
      mark,
      'parts',
      input.parts
        .map(
          ({ id, title, instruction }) =>
            `${parts.shortOf(id)}: ${promptLine(title)}. ${promptLine(wantedOf(id, instruction))}`,
        )
        .join('\n'),
    ),
    words:
      input.words === null
        ? `as many words as the statements fill, ${input.maxWords} at most.`
        : `about ${input.words} words in all.`,
    findings: materialBlock(
      mark,
      'findings',
      statementsBySubtopic(input.subtopics, sources, findingShortIds(findings)),
    ),
    conflicts: disagreements(input.conflicts, sources, mark),
  };
}

/** How a plan names the parts: `P1` and so on, in the template's order. */
export function planPartIds({ parts }: Pick<PlanBriefInput, 'parts'>): ShortIds {
  return shortIds(
    'P',
    parts.map(({ id }) => id),
  );
}
