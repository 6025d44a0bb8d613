import { z } from 'zod';
import { OutlinePlan, OutlineSection, Relevance } from '../contracts/outline';
import { SourceId, SourceWindow, WordCounts } from '../contracts/source';
import { targetSections } from '../report/ranked-outline';
import {
  MATERIAL_RULES,
  materialBlock,
  promptLine,
  READER_SYSTEM,
  shortIds,
  type ShortIds,
  sourceNotes,
  sourceShortIds,
  sourcesPrefix,
  SummarisedSource,
  summaryBlocks,
} from './material';
import type { Step, StepProblem, StepTemplate } from './step';

export const OutlineInput = z.object({
  question: z.string(),
  sources: z.array(SummarisedSource),
  /** Full texts if all fit into one call; otherwise the plan uses summaries. */
  texts: z.array(SourceWindow).optional(),
  counts: WordCounts.optional(),
});
export type OutlineInput = z.infer<typeof OutlineInput>;

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
  const { least, most } = targetSections(input.sources.length);
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

export const MergeOutlinesInput = z.object({ question: z.string(), plans: z.array(OutlinePlan).min(1) });
export type MergeOutlinesInput = z.infer<typeof MergeOutlinesInput>;

const mergeOutlinesTemplate: StepTemplate = {
  system: `You join plans for one research report, each made from a part of its sources, into a single plan.
${MATERIAL_RULES}`,
  user: `The report is to answer: {{question}}

{{plans}}

Make one plan of 5 to 8 sections from these; fewer where they have no more.
1. Join sections that are on the same theme. Each section of the plans goes into exactly one section of yours: "from" lists them by their names, such as P1.
2. Give each section a short, specific title and a description of one or two sentences, in words that the plans use. A section is not "introduction", "conclusion" or "other".
3. Put the sections that answer the question most directly first.
4. Say the overall theme of all sources together in one sentence, disagreement included, without any count of sources: what a plan counts is a part.

Answer with one JSON object:
{"overallTheme": "…", "sections": [{"title": "…", "description": "…", "from": ["P…", "P…"]}]}`,
};

function mergeOutlinesVariables(
  { question, plans }: MergeOutlinesInput,
  mark: string,
): Record<string, string> {
  const ids = planSectionIds(plans);
  const blocks = plans.map(({ overallTheme, sections }, at) => {
    const lines = sections.map(({ id, title, description, subsections }) => {
      const parts = subsections.map((subsection) => promptLine(subsection.title));
      const detail = parts.length === 0 ? '' : ` Subsections: ${parts.join('; ')}.`;
      return `${ids.shortOf(planSectionKey(at, id))}: “${promptLine(title)}”. ${promptLine(description)}${detail}`;
    });
    return materialBlock(mark, `plan ${at + 1}`, [promptLine(overallTheme), ...lines].join('\n'));
  });
  return { mark, question: promptLine(question), plans: blocks.join('\n') };
}

export function planSectionIds(plans: readonly OutlinePlan[]): ShortIds {
  return shortIds(
    'P',
    plans.flatMap(({ sections }, at) => sections.map(({ id }) => planSectionKey(at, id))),
  );
}

/** Section ids repeat between plans. */
export function planSectionKey(plan: number, sectionId: string): string {
  return `${plan}.${sectionId}`;
}

export const mergeOutlines: Step<MergeOutlinesInput, OutlinePlan, 'merge-outlines'> = {
  name: 'merge-outlines',
  version: '3',
  role: 'fast',
  input: MergeOutlinesInput,
  output: OutlinePlan,
  template: mergeOutlinesTemplate,
  variables: mergeOutlinesVariables,
  check(input, output): StepProblem[] {
    const planned = (plans: readonly OutlinePlan[]): Set<string> =>
      new Set(
        plans.flatMap(({ sections }) =>
          sections.flatMap(({ relevantSources }) => relevantSources.map(({ sourceId }) => sourceId)),
        ),
      );
    const known = planned(input.plans);
    const nearest = input.plans.flatMap(({ unanswered }) => unanswered?.nearest ?? []);
    const kept = planned([output]);
    const lost = [...known].filter((id) => !kept.has(id));
    return [
      ...outlineProblems(output, new Set([...known, ...nearest])),
      ...(lost.length === 0
        ? []
        : [{ path: 'sections', message: `${lost.length} planned sources were lost` }]),
    ];
  },
};

export const ScoreRelevanceInput = z.object({
  question: z.string(),
  sections: z.array(OutlineSection).min(1),
  sources: z.array(SummarisedSource),
});
export type ScoreRelevanceInput = z.infer<typeof ScoreRelevanceInput>;

export const ScoreRelevanceOutput = z.object({
  scores: z.array(
    z.object({
      sourceId: SourceId,
      sections: z.array(z.object({ sectionId: z.string(), relevance: Relevance })),
    }),
  ),
});
export type ScoreRelevanceOutput = z.infer<typeof ScoreRelevanceOutput>;

const scoreRelevanceTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}

You score how much sources have to say to the sections of a planned report, from their summaries.

The report is to answer: {{question}}

Its sections:
{{sections}}

Score each of these {{count}} sources for each of the {{sectionCount}} sections, from 0 to 1: 0.9 to 1 highly relevant (it answers what the section asks), 0.7 to 0.9 relevant (it has results on it), 0.5 to 0.7 somewhat relevant (it touches on it), below that hardly or not at all. "relevance" has one number for each section, in the order of the sections.

Answer with one JSON object:
{"scores": [{"source": "S…", "relevance": [<0 to 1>, …]}]}`,
};

export const scoreRelevance: Step<ScoreRelevanceInput, ScoreRelevanceOutput, 'score-relevance'> = {
  name: 'score-relevance',
  version: '2',
  role: 'fast',
  input: ScoreRelevanceInput,
  output: ScoreRelevanceOutput,
  template: scoreRelevanceTemplate,
  variables: scoreRelevanceVariables,
  check(input, output): StepProblem[] {
    const sources = new Set(input.sources.map(({ sourceId }) => sourceId));
    const sections = new Set(input.sections.map(({ id }) => id));
    return output.scores.flatMap(({ sourceId, sections: scored }): StepProblem[] => [
      ...(sources.has(sourceId) ? [] : [{ path: 'scores', message: `source ${sourceId} was not asked for` }]),
      ...scored
        .filter(({ sectionId }) => !sections.has(sectionId))
        .map(({ sectionId }) => ({
          path: `scores.${sourceId}`,
          message: `there is no section ${sectionId}`,
        })),
    ]);
  },
};

function scoreRelevanceVariables(input: ScoreRelevanceInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  const sections = input.sections.map(
    ({ title, description }, at) => `${at + 1}. ${promptLine(title)}: ${promptLine(description)}`,
  );
  return {
    mark,
    question: promptLine(input.question),
    sections: materialBlock(mark, 'sections', sections.join('\n')),
    sources: summaryBlocks(mark, input.sources, ids),
    count: `${input.sources.length}`,
    sectionCount: `${input.sections.length}`,
  };
}

/** Repeated ids or titles, unknown sources, and sections without sources. */
function outlineProblems({ sections, unanswered }: OutlinePlan, known: ReadonlySet<string>): StepProblem[] {
  const problems: StepProblem[] = (unanswered?.nearest ?? [])
    .filter((id) => !known.has(id))
    .map((id) => ({ path: 'unanswered', message: `source ${id} is not among the sources` }));
  const ids = new Set<string>();
  const titles = new Set<string>();
  for (const { id, title, relevantSources, subsections } of sections) {
    const path = `sections.${id}`;
    if (ids.has(id)) problems.push({ path, message: 'the id is used twice' });
    if (titles.has(title.toLowerCase())) problems.push({ path, message: 'the title is used twice' });
    ids.add(id);
    titles.add(title.toLowerCase());
    const mentioned = [
      ...relevantSources.map(({ sourceId }) => sourceId),
      ...subsections.flatMap(({ sourceIds }) => sourceIds),
    ];
    for (const sourceId of mentioned.filter((mention) => !known.has(mention))) {
      problems.push({ path, message: `source ${sourceId} is not among the sources` });
    }
    if (relevantSources.length === 0) problems.push({ path, message: 'no source supports the section' });
  }
  return problems;
}
