import type { OutlinePlan } from '../../contracts/report/outline';
import type { MergeOutlinesInput } from './contract';
import { shortIds, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { MATERIAL_RULES } from '../material/material-rules';
import { materialBlock, promptLine } from '../material/material-block';

export const mergeOutlinesTemplate: StepTemplate = {
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

export function mergeOutlinesVariables(
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

/** `P1` and so on, over all sections of all plans. */
export function planSectionIds(plans: readonly OutlinePlan[]): ShortIds {
  return shortIds(
    'P',
    plans.flatMap(({ sections }, at) => sections.map(({ id }) => planSectionKey(at, id))),
  );
}

/** Sections of different plans have the same ids. */
export function planSectionKey(plan: number, sectionId: string): string {
  return `${plan}.${sectionId}`;
}
