import { OutlinePlan } from '../../contracts/report/outline';
import { outlineProblems } from '../shared-checks/outline-problems';
import { OutlineInput } from './contract';
import type { Step, StepProblem } from '../step';
import { wantedSections } from '../../core/ranking/join-plans';
import { sourceShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { sourcesPrefix } from '../material/source-blocks';
import { sourceNotes } from '../material/source-notes';
import { summaryBlocks } from '../material/summary-blocks';

const outlineTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}

You plan a research report from {{material}}: you find the themes that run across the sources, and score how much each source has to say to each theme.

The report is to answer: {{question}}

Plan the report from these {{count}} sources.
1. Find the largest themes that several sources share and that help to answer the question: {{wanted}}; fewer where the sources have no more. A theme is something that sources compare on, such as an effect, a cause, a cost, a group of people, a period, a method; it is not a source, and not "introduction", "conclusion" or "other". Put the themes that answer the question most directly first.
2. Give each section a short, specific title as a person would write it, a description of one or two sentences of what it will cover, and, where it helps, subsections with their sources.
3. Score every source for every section by how much it has to say to it: 0.9 to 1 highly relevant (it answers what the section asks), 0.7 to 0.9 relevant (it has results on it), 0.5 to 0.7 somewhat relevant (it touches on it), below that hardly; leave a source out of a section only if its score is below 0.3. A section has several sources, {{least}}; a source may serve several sections. A source that disagrees with the others is worth more than one that repeats them.
4. Say the overall theme in one sentence: what the sources together tell on the question, disagreement included. Say nowhere how many sources there are: the plan may be of a part of them.

Answer with one JSON object:
{"overallTheme": "…", "sections": [{"title": "…", "description": "…", "subsections": [{"title": "…", "sources": ["S…"]}], "sources": [{"source": "S…", "relevance": <0.3 to 1>}]}]}`,
};

export const outline: Step<OutlineInput, OutlinePlan, 'outline'> = {
  name: 'outline',
  version: '8',
  role: 'fast',
  input: OutlineInput,
  output: OutlinePlan,
  template: outlineTemplate,
  variables: outlineVariables,
  check: (input, output): StepProblem[] =>
    outlineProblems(output, new Set(input.sources.map(({ sourceId }) => sourceId))),
};

function outlineVariables(input: OutlineInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  const { least, most } = wantedSections(input.sources.length);
  const { texts } = input;
  return {
    mark,
    question: promptLine(input.question),
    sources:
      texts === undefined
        ? `${summaryBlocks(mark, input.sources, ids)}\n\n${sourceNotes(input.sources, ids)}`
        : sourcesPrefix(mark, texts, sourceShortIds(texts)),
    material: texts === undefined ? 'the summaries of its sources' : 'its sources',
    count: `${input.sources.length}`,
    wanted: most === 1 ? 'one' : `${least === most ? '' : `${least} to `}${most}`,
    least: input.sources.length > 1 ? 'never a single one' : 'or the only one',
  };
}
