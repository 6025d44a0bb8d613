import { findingShortIds, shortIds, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import type { WriteSectionInput } from './contract';
import { conflictsText, findingsText, mentionedSources } from '../material/findings-text';
import { describeSource } from '../material/described-source';
import { MATERIAL_RULES } from '../material/material-rules';
import { materialBlock, promptLine } from '../material/material-block';
import { problemsText } from '../material/problems-text';
import { critiqueText } from '../material/critique-text';

export const writeSectionTemplate: StepTemplate = {
  system: `You write one section of a research report from findings that were checked. You are exact, fair to every side, and clear to a reader who is no specialist.
${MATERIAL_RULES}`,
  user: `The report is to answer: {{question}}

Section: {{title}}
It covers: {{description}}
Its subsections, in order: {{subsections}}

{{sources}}

{{findings}}

{{conflicts}}

{{lacking}}Write this section in Markdown, about {{targetWords}} words, from these findings alone.
- Every sentence that states something ends with the sources it rests on, in square brackets before the full stop: "… by 12 % [S1][S4]." Cite every source that supports it, and no other way.
- Connect the findings: what agrees, what differs, under which conditions; who found it, in whom or in what, where and when. Exact numbers, units, dates and names; quote where the words matter; for what changes with time, say when it held ("as of 2024").
- Show disagreement: "A reports X [S1], while B reports Y [S2]", with what may explain it, as a possibility.
- Use each finding once. Say nothing that no finding says and that does not follow from them. No repeats, no announcements, no generalities; a shorter section is better than a padded one.
- Paragraphs of two to five sentences. A line "### " with a subsection's title opens each subsection that has at least two findings. No section title, links, images, HTML, tables, list of sources or remark on confidence.`,
};

export function writeSectionVariables(input: WriteSectionInput, mark: string): Record<string, string> {
  const sources = citableIds(input);
  const findings = findingShortIds(input.findings);
  return {
    mark,
    question: promptLine(input.question),
    title: promptLine(input.section.title),
    description: promptLine(input.section.description),
    subsections: subsectionTitles(input),
    sources: materialBlock(
      mark,
      'sources',
      input.sources
        .map((source) => `${sources.shortOf(source.sourceId)}: ${describeSource(source)}`)
        .join('\n'),
    ),
    findings: materialBlock(mark, 'findings', findingsText(input.findings, sources, findings)),
    conflicts: materialBlock(mark, 'conflicts', conflictsText(input.conflicts, sources)),
    lacking:
      lackingText(input, findings) +
      critiqueText('section', input, sources, mark) +
      problemsText('section', input.problems, mark),
    targetWords: `${input.targetWords}`,
  };
}

/** Said only where the section is written once more. */
function lackingText({ lacking }: WriteSectionInput, findings: ShortIds): string {
  if (lacking === undefined) return '';
  const names = lacking.findingIds.map((id) => findings.shortOf(id)).join(', ');
  return `An earlier text of this section cited ${lacking.cited === 1 ? 'one source' : `${lacking.cited} sources`} only. Tell of ${names}, and cite all of their sources.\n\n`;
}

function subsectionTitles({ section }: WriteSectionInput): string {
  const titles = section.subsections.map(({ title }) => promptLine(title));
  return titles.length === 0 ? 'none' : titles.join('; ');
}

/** The short ids of a writer's sources: the citable ones first, in their order. */
export function citableIds(input: Pick<WriteSectionInput, 'sources' | 'findings' | 'conflicts'>): ShortIds {
  return shortIds('S', mentionedSources(input.sources, input.findings, input.conflicts));
}
