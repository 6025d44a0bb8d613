import { findingShortIds, shortIds, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import type { WriteSummaryInput } from './contract';
import { conflictsText, findingsText, mentionedSources } from '../material/findings-text';
import { describeSource } from '../material/described-source';
import { MATERIAL_RULES } from '../material/material-rules';
import { materialBlock, promptLine } from '../material/material-block';
import { critiqueText } from '../material/critique-text';
import { problemsText } from '../material/problems-text';

/** The findings come strongest first; a summary needs no more of a section. */
const FINDINGS_A_SECTION = 8;
/** A summary has three bullets at least (document 002). */
const ENOUGH_MAJOR_FINDINGS = 3;

export const writeSummaryTemplate: StepTemplate = {
  system: `You write the opening of a research report for readers who may read nothing else.
${MATERIAL_RULES}`,
  user: `The report answers: {{question}}
Its overall theme: {{overallTheme}}

{{sources}}

{{findings}}

{{conflicts}}

{{gaps}}

Write in Markdown, and nothing else:
1. A line "# " with a title for the report, specific, at most 12 words.
2. A list of 3 to 5 bullets, each one or two sentences: the answer to the question first, then what is best supported, then where sources disagree or the evidence is thin. Exact numbers, units, dates and names; the time where it matters ("as of 2024"). Each bullet ends with the sources it rests on, in square brackets before the full stop: "… by 12 % [S1][S4]." No bullet says what no finding says.
3. A line "## Questions" and a list of 3 to 5 questions that a reader should ask next, which these findings raise and do not answer. A question takes nothing for granted that no finding says.
No links, no images, no HTML, and no remark on confidence.`,
};

export function writeSummaryVariables(input: WriteSummaryInput, mark: string): Record<string, string> {
  const sections = summarySections(input);
  const sources = summaryIds(input);
  const findings = findingShortIds(sections.flatMap((section) => section.findings));
  return {
    mark,
    question: promptLine(input.question),
    overallTheme: promptLine(input.overallTheme),
    sources: materialBlock(
      mark,
      'sources',
      input.sources
        .map((source) => `${sources.shortOf(source.sourceId)}: ${describeSource(source)}`)
        .join('\n'),
    ),
    findings: materialBlock(
      mark,
      'findings',
      sections
        .map((section) =>
          [`[${promptLine(section.section.title)}]`, findingsText(section.findings, sources, findings)].join(
            '\n',
          ),
        )
        .join('\n\n'),
    ),
    conflicts: materialBlock(mark, 'conflicts', conflictsText(input.conflicts, sources)),
    // With the gaps, so that templates that are kept elsewhere have a place for it.
    gaps: [
      gapsText(input, mark),
      critiqueText('summary', input, sources, mark),
      problemsText('summary', input.problems, mark),
    ]
      .map((part) => part.trimEnd())
      .filter((part) => part !== '')
      .join('\n\n'),
  };
}

function gapsText({ gaps }: WriteSummaryInput, mark: string): string {
  const lines = gaps.map((gap) => `- ${promptLine(gap.question)}`);
  return materialBlock(mark, 'gaps', lines.join('\n') || 'none');
}

/** What a summary is made of: the strongest findings of each section, of the major ones where there are enough for it. */
export function summarySections({
  sections,
  confidenceThreshold = 0,
}: Pick<WriteSummaryInput, 'sections' | 'confidenceThreshold'>): WriteSummaryInput['sections'] {
  const major = sections.map(({ section, findings }) => ({
    section,
    findings: findings.filter(({ confidence }) => confidence >= confidenceThreshold),
  }));
  const enough = major.flatMap(({ findings }) => findings).length >= ENOUGH_MAJOR_FINDINGS;
  return (enough ? major.filter(({ findings }) => findings.length > 0) : sections).map(
    ({ section, findings }) => ({ section, findings: findings.slice(0, FINDINGS_A_SECTION) }),
  );
}

function summaryIds(input: WriteSummaryInput): ShortIds {
  const findings = input.sections.flatMap((section) => section.findings);
  return shortIds('S', mentionedSources(input.sources, findings, input.conflicts));
}
