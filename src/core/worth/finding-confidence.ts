import type { SourceQuality } from '../contracts/source';
import { isHedged } from './assess-sentence';
import { statisticsCues } from './statistics-cues';

export interface AssertedBy {
  quality: SourceQuality;
  summaryOnly: boolean;
}

/**
 * The confidence of a claim by the bands of document 002, from the distinct sources that assert it:
 * - several, at least two of them authoritative: 0.90, and 0.02 for each further one up to 0.98;
 * - several others: 0.80, and 0.03 for each further one up to 0.89;
 * - a single authoritative one: 0.75; a single general one: 0.60;
 * - single and hedged without a figure: 0.45, a weak assertion.
 *
 * A single source's claim moves inside its band: +0.03 for a statistical test, +0.03 for a confidence interval, +0.03 for
 * figures set against each other, +0.02 for a randomised design or a review of studies, −0.04 for a hedge, −0.04 for a
 * pilot, −0.05 where only the summary was read.
 */
export function findingConfidence(
  claim: string,
  sources: readonly AssertedBy[],
  design: string | undefined,
): number {
  const authoritative = sources.filter((source) => source.quality.level === 'authoritative').length;
  if (authoritative >= 2) return round(Math.min(0.98, 0.9 + 0.02 * (sources.length - 2)));
  if (sources.length >= 2) return round(Math.min(0.89, 0.8 + 0.03 * (sources.length - 2)));
  const figures = statisticsCues(claim);
  const hedged = isHedged(claim);
  if (hedged && figures.quantities === 0 && !figures.tested) return 0.45;
  let confidence = authoritative === 1 ? 0.75 : 0.6;
  if (figures.tested) confidence += 0.03;
  if (figures.interval) confidence += 0.03;
  if (figures.compares) confidence += 0.03;
  if (design !== undefined && /randomi[sz]ed|meta-analysis|systematic review/.test(design))
    confidence += 0.02;
  if (design !== undefined && /pilot|feasibility|case/.test(design)) confidence -= 0.04;
  if (hedged) confidence -= 0.04;
  if (sources.every((source) => source.summaryOnly)) confidence -= 0.05;
  return round(authoritative === 1 ? clamp(confidence, 0.7, 0.89) : clamp(confidence, 0.5, 0.69));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
