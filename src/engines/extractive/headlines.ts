import type { Evidence, Finding } from '../../contracts/report/finding';
import { resultScore } from '../../reading/features/result-score';

/** A finding of the Executive Summary, by the words of which of its sources it is told. */
export interface Headline {
  /** The index of its section. */
  section: number;
  finding: Finding;
  evidence: Evidence;
}

interface SectionMaterial {
  /** Strongest first. */
  findings: readonly Finding[];
}

interface HeadlineLimits {
  min: number;
  max: number;
  /** Findings from this confidence on are the major ones, which come before others. */
  threshold: number;
}

/**
 * What opens the report: each of the first sections by its best finding, and where that gives too few, the next-best findings
 * of whatever section. No source speaks twice while there are others. In the order of the sections.
 */
export function chooseHeadlines(
  sections: readonly SectionMaterial[],
  { min, max, threshold }: HeadlineLimits,
): Headline[] {
  const ranked = sections.map(({ findings }) => [...findings].sort(strongestFirst(threshold)));
  const chosen: Headline[] = [];
  const speaking = new Set<string>();
  const take = (section: number, isNewVoice: boolean): boolean => {
    const told = new Set(chosen.map(({ finding }) => finding.id));
    for (const finding of ranked[section]?.filter(({ id }) => !told.has(id)) ?? []) {
      const evidence = isNewVoice
        ? finding.evidence.find(({ sourceId }) => !speaking.has(sourceId))
        : finding.evidence[0];
      if (evidence === undefined) continue;
      chosen.push({ section, finding, evidence });
      speaking.add(evidence.sourceId);
      return true;
    }
    return false;
  };
  const open = [...ranked.keys()].filter((section) => (ranked[section]?.length ?? 0) > 0).slice(0, max);
  // Sections with a major finding choose who speaks first, so that no lesser one takes its voice.
  const isMajor = (section: number): number => Number((ranked[section]?.[0]?.confidence ?? 0) >= threshold);
  for (const section of [...open].sort((a, b) => isMajor(b) - isMajor(a)))
    if (!take(section, true)) take(section, false);
  for (const isNewVoice of [true, false])
    while (chosen.length < min && open.some((section) => chosen.length < min && take(section, isNewVoice)));
  return chosen.sort((a, b) => a.section - b.section);
}

/** Major ones first, then results before aims and methods, then those that several sources share, then the more certain. */
function strongestFirst(threshold: number): (a: Finding, b: Finding) => number {
  const isMajor = ({ confidence }: Finding): number => Number(confidence >= threshold);
  const isResult = ({ claim }: Finding): number => Number(resultScore(claim) > 0);
  return (a, b) =>
    isMajor(b) - isMajor(a) ||
    isResult(b) - isResult(a) ||
    b.citations.length - a.citations.length ||
    b.confidence - a.confidence;
}
