import { draftProblems } from '../shared-checks/draft-problems';
import type { Step } from '../step';
import { WriteBriefPartInput, WriteBriefPartOutput, type PartRevision } from './contract';
import { MAX_TOLD_CHARS, MAX_CRITIQUE_CHARS } from '../../core/budget/call-estimates';
import { citedSourcesText, disagreements, planText, statementsText } from '../material/brief-material';
import { BRIEF_CONSTRAINTS, BRIEF_SYSTEM, wantedOf } from '../material/brief-rules';
import { mentionedSources } from '../material/findings-text';
import { materialBlock, promptLine } from '../material/material-block';
import { findingShortIds, shortIds, citedAs, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { replaceAsides, replaceMarks } from '../../core/text/citation-marks';
import type { CitableSource } from '../material/citable-source';
import { criticisedClaims } from '../material/criticised-claims';

/**
 * The plan and what was said come first: both are the same for the parts of a brief, and what was said only grows from part to
 * part, so that a prompt begins with nearly all of the one before it. A part's own statements follow, and no other's: all of
 * them in every prompt would be read some fourteen times over for one part in fourteen.
 */
const writeBriefPartTemplate: StepTemplate = {
  system: BRIEF_SYSTEM,
  user: `{{plan}}

{{told}}

{{sources}}

{{findings}}

{{conflicts}}

{{before}}

{{revision}}You write one part of a brief, from its statements of summaries and nothing else.
The brief answers: {{question}}
The part: {{title}}
What is wanted: {{instruction}}

Write the text of this part alone: no title, no headings, nothing of other parts. The plan only says what goes where and proves nothing.
- Maximum length: about {{words}} words.
${BRIEF_CONSTRAINTS}
- What was said already is not said again{{pointing}}. Go on from how the part before ends, without a word on it.`,
};

export const writeBriefPart: Step<WriteBriefPartInput, WriteBriefPartOutput, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: WriteBriefPartOutput,
  template: writeBriefPartTemplate,
  variables: writeBriefPartVariables,
  check: draftProblems,
};

function writeBriefPartVariables(input: WriteBriefPartInput, mark: string): Record<string, string> {
  const ids = findingShortIds(input.findings);
  const sources = shortIds('S', mentionedSources(input.sources, input.findings, input.conflicts));
  const pointsAtOthers = !input.part.id.startsWith('subtopic-');
  return {
    mark,
    question: promptLine(input.question),
    plan: planText(input.plan, mark),
    told: materialBlock(mark, 'told', toldText(input)),
    sources: materialBlock(mark, 'sources', citedSourcesText(input, sources)),
    findings: materialBlock(mark, 'findings', statementsText(input.findings, sources, ids)),
    conflicts: disagreements(input.conflicts, sources, mark),
    before: materialBlock(mark, 'before', promptLine(input.before ?? '') || 'nothing'),
    revision: input.revision === null ? '' : revisionText(input.revision, input.sources, sources, mark),
    title: promptLine(input.part.title),
    instruction: promptLine(wantedOf(input.part.id, input.instruction)),
    words: `${input.part.words}`,
    pointing: pointsAtOthers ? ' in the same words, though this part may point at it' : '',
  };
}

/** In the order in which it was said, from the beginning, for as long as there is room. */
function toldText({ told }: WriteBriefPartInput): string {
  const lines: string[] = [];
  let room = MAX_TOLD_CHARS;
  for (const { text } of told) {
    const line = `- ${promptLine(text)}`;
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  return lines.join('\n') || 'nothing yet';
}

function revisionText(
  revision: PartRevision,
  given: readonly CitableSource[],
  sources: ShortIds,
  mark: string,
): string {
  const naming = citedAs(sources, given);
  const audited = revision.critique === null ? '' : criticisedClaims(revision.critique, naming);
  const named = revision.problems.map(({ reason, quote }) => {
    const where = quote === null ? 'The whole part' : `“${promptLine(replaceMarks(quote, naming))}”`;
    return `- ${where}: ${promptLine(reason)}`;
  });
  const wrong = [...(audited === '' ? [] : [audited]), ...named].join('\n').slice(0, MAX_CRITIQUE_CHARS);
  return `${materialBlock(mark, 'text', standingText(revision.markdown, naming))}

${materialBlock(mark, 'critique', wrong || 'nothing')}

This part was written before; its text stands above, and after it what was found wrong with it. Write the whole part again and change only what is named there: say of these points only what the statements say, and cite the source that says it. Keep the rest word for word, with its citations and in its order.

`;
}

/** As a model would have written it: sources by their short names, nothing where a claim was set aside. */
function standingText(markdown: string, naming: (ids: readonly string[]) => string): string {
  return replaceAsides(replaceMarks(markdown, naming), () => '').trim();
}
