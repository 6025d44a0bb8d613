import type { OutlinePlan } from '../../src/contracts/outline';
import type { SourceWindow } from '../../src/contracts/source';
import {
  extractFindingsExtractively,
  summariseExtractively,
} from '../../src/engines/extractive/extractive-steps';
import { crossCheckExtractively } from '../../src/engines/extractive/quoted-checks';
import { outlineExtractively } from '../../src/engines/extractive/quoted-outline';
import { reconcileFindings, type SectionToReconcile } from '../../src/evidence/reconcile-findings';
import type { SectionScope } from '../../src/steps/material';
import { surveyTexts } from '../../src/text/collection';
import { splitPassages } from '../../src/text/sentences';

export const NOTHING_RETRIEVED = { requested: 0, found: 0, missing: 0, chars: 0 };

export type ReadSource = Omit<SourceWindow, 'summaryOnly' | 'passages'> & { content: string };

type Checked = SectionToReconcile & { section: SectionScope };

export interface Passes {
  outline: OutlinePlan;
  checked: Checked[];
  validated: ReturnType<typeof reconcileFindings>;
}

/** What the extractive engine makes of sources up to the end of pass 3, without a server; of the first `most` sections. */
export async function passesOver(
  question: string,
  sources: readonly ReadSource[],
  most = Infinity,
): Promise<Passes> {
  const windows = sources.map(({ content, ...source }): SourceWindow => ({
    ...source,
    summaryOnly: false,
    passages: splitPassages(content),
  }));
  const { counts, held } = surveyTexts(
    question,
    sources.map(({ content }) => content),
  );
  const { summaries } = summariseExtractively({ question, sources: windows });
  const planned = await outlineExtractively({
    question,
    sources: windows.map(({ sourceId, title, quality, nearDuplicateOf }, at) => ({
      sourceId,
      title,
      quality,
      ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
      summary: summaries.find((summary) => summary.sourceId === sourceId)?.summary ?? title,
      held: held[at],
    })),
    counts,
  });
  const outline = { ...planned, sections: planned.sections.slice(0, most) };
  const checked: Checked[] = [];
  for (const section of outline.sections) {
    const brief = { ...section, subsections: section.subsections.map(({ title }) => title) };
    const own = windows.filter(({ sourceId }) =>
      section.relevantSources.some((source) => source.sourceId === sourceId),
    );
    const found = await extractFindingsExtractively({
      question,
      section: brief,
      sources: own,
      findings: { min: 10, max: 20 },
      counts,
    });
    const checks = crossCheckExtractively({
      question,
      section: brief,
      findings: found.findings,
      sources: windows,
      factChecking: true,
      detectConflicts: true,
    });
    const relevance = new Map(section.relevantSources.map((source) => [source.sourceId, source.relevance]));
    checked.push({
      section: { ...brief, relevance },
      found: { ...found, readInFull: [], readBySummary: [], retrievals: NOTHING_RETRIEVED },
      checks,
      unvalidated: false,
    });
  }
  const facts = new Map(windows.map((window) => [window.sourceId, window]));
  const given = { question, sections: checked, sources: facts, support: null, detectConflicts: true };
  return { outline, checked, validated: reconcileFindings(given) };
}
