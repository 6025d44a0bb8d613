import { type CheckedSection, reconcileFindings } from '../../src/core/reconcile-findings';
import type { ValidatedFindings } from '../../src/core/contracts/finding';
import type { Outline } from '../../src/core/contracts/outline';
import type { SourceWindow } from '../../src/core/contracts/passage';
import { splitPassages } from '../../src/core/text/passages';
import { crossCheckExtractively } from '../../src/engines/extractive/cross-check';
import { extractFindingsExtractively } from '../../src/engines/extractive/extract-findings';
import { outlineExtractively } from '../../src/engines/extractive/outline';
import { summariseExtractively } from '../../src/engines/extractive/summarise';
import type { SectionBrief } from '../../src/steps/extract-findings';

export type ReadSource = Omit<SourceWindow, 'summaryOnly' | 'passages'> & { content: string };

type Checked = CheckedSection & { section: SectionBrief };

export interface Passes {
  outline: Outline;
  checked: Checked[];
  validated: ValidatedFindings;
}

/** What the extractive engine makes of sources up to the end of pass 3, without a server. */
export function passesOver(question: string, sources: readonly ReadSource[]): Passes {
  const windows = sources.map(({ content, ...source }): SourceWindow => ({
    ...source,
    summaryOnly: false,
    passages: splitPassages(content),
  }));
  const { summaries } = summariseExtractively({ question, sources: windows });
  const outline = outlineExtractively({
    question,
    sources: windows.map(({ sourceId, title, quality, nearDuplicateOf }) => ({
      sourceId,
      title,
      quality,
      ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
      summary: summaries.find((summary) => summary.sourceId === sourceId)?.summary ?? title,
    })),
  });
  const checked = outline.sections.map((section): Checked => {
    const brief = { ...section, subsections: section.subsections.map(({ title }) => title) };
    const own = windows.filter(({ sourceId }) =>
      section.relevantSources.some((source) => source.sourceId === sourceId),
    );
    const found = extractFindingsExtractively({
      question,
      section: brief,
      sources: own,
      findings: { min: 10, max: 20 },
    });
    const checks = crossCheckExtractively({
      question,
      section: brief,
      findings: found.findings,
      sources: windows,
    });
    const relevance = new Map(section.relevantSources.map((source) => [source.sourceId, source.relevance]));
    return {
      section: { ...brief, relevance },
      found: { ...found, readInFull: [], readBySummary: [] },
      checks,
    };
  });
  const facts = new Map(windows.map((window) => [window.sourceId, window]));
  return { outline, checked, validated: reconcileFindings({ question, sections: checked, sources: facts }) };
}
