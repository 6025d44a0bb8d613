import {
  ConflictKind,
  type Conflict,
  type Evidence,
  type Finding,
} from '../../../../contracts/report/finding';
import type { SourceWindow } from '../../../../contracts/source/passage';
import type { Warning } from '../../../../contracts/run/run';
import { corroboratedConfidence } from '../../../../core/evidence/corroborated-confidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import type { CrossCheckInput, FindingCheck } from '../../../../steps/cross-check/contract';
import { findingShortIds, sourceShortIds, type ShortIds } from '../../../../steps/material/short-ids';
import { createGrounding, isBorne, isHeld, type Grounding } from '../../grounding/grounding';
import { shortLine } from '../../grounding/plain-line';
import { createQuoteFinder, type QuoteFinder } from '../../quotes/locate-quote';
import type { AnswerProblem } from '../reading';
import { z } from 'zod';

export const MAX_LINE_CHARS = 300;
const MAX_REASON_CHARS = 400;
const NO_REASON = 'The sources give no reason for the difference.';

/** What the two forms of an answer have in common. */
export const ConflictItem = z.object({
  topic: z.string(),
  kind: ConflictKind.catch('direction'),
  resolution: z.string().catch('present_both'),
  reason: z.string().catch(''),
});

/** It is dropped by itself: nothing is asked again for it. */
export const ONE_SIDED: Warning = {
  code: 'conflict-invalid',
  message: 'A conflict without two sides that sources hold was dropped.',
};

export interface CheckReading {
  input: CrossCheckInput;
  grounding: Grounding;
  finder: QuoteFinder;
  ids: ShortIds;
  sources: ReadonlyMap<string, SourceWindow>;
  problems: AnswerProblem[];
  warnings: Warning[];
  /** The finding that a model names; a name of none becomes a problem. */
  findingOf(written: string, path: string): Finding | undefined;
}

export function openCheckReading(input: CrossCheckInput): CheckReading {
  const problems: AnswerProblem[] = [];
  const findingIds = findingShortIds(input.findings);
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  return {
    input,
    grounding: groundingOf(input),
    finder: createQuoteFinder(input.sources),
    ids: sourceShortIds(input.sources),
    sources: new Map(input.sources.map((window) => [window.sourceId, window])),
    problems,
    warnings: [],
    findingOf(written, path) {
      const finding = byId.get(findingIds.idOf(written) ?? '');
      if (finding === undefined) {
        problems.push({
          path,
          message: `"${written}" is not one of the findings`,
          code: 'unknown-finding',
          warning: 'A check of a finding that does not exist was dropped.',
        });
      }
      return finding;
    },
  };
}

function groundingOf({ question, section, findings, sources }: CrossCheckInput): Grounding {
  return createGrounding([
    question,
    section.title,
    section.description,
    ...section.subsections,
    ...findings.map(({ claim }) => claim),
    ...sources.flatMap(({ title, author, site, publishedAt, passages }) => [
      [title, author, site, publishedAt].join('\n'),
      ...passages.map(({ text }) => text),
    ]),
  ]);
}

/** The quotes of further sources on each finding that was checked, by the finding's id. */
export type QuotesOnFindings = ReadonlyMap<string, { supporting: Evidence[]; contradicting: Evidence[] }>;

export function findingChecks(
  { input, sources }: CheckReading,
  found: QuotesOnFindings,
  conflicts: readonly Conflict[],
): FindingCheck[] {
  return input.findings.map((finding): FindingCheck => {
    const { supporting, contradicting } = found.get(finding.id) ?? { supporting: [], contradicting: [] };
    const conflicting =
      contradicting.length > 0 || conflicts.some((conflict) => conflict.findingIds.includes(finding.id));
    const confidence =
      found.has(finding.id) || conflicting
        ? corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting })
        : finding.confidence;
    const unanswered = needsChecking(finding, input) && !found.has(finding.id) && !conflicting;
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return unanswered ? { ...check, unanswered } : check;
  });
}

/** A conflict between sources that hold different views; null where there are no two of them. */
export function conflictOf(
  { input: { section }, grounding }: Pick<CheckReading, 'input' | 'grounding'>,
  index: number,
  given: {
    topic: string;
    kind: Conflict['kind'];
    findings: readonly Finding[];
    viewpoints: readonly Evidence[][];
    resolution: string;
    reason: string;
  },
): Conflict | null {
  const taken = new Set<string>();
  const held = given.viewpoints.map((evidence) => {
    const own = evidence.filter(({ sourceId }) => !taken.has(sourceId));
    for (const { sourceId } of own) taken.add(sourceId);
    return own;
  });
  const viewpoints = held.flatMap((evidence) => {
    const [first] = evidence;
    if (first === undefined) return [];
    const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
    return [{ statement: first.quote.replace(/\s+/g, ' '), citations, evidence }];
  });
  const topic = shortLine(given.topic, MAX_LINE_CHARS / 2);
  if (viewpoints.length < 2 || topic === '' || !isBorne(topic, grounding)) return null;
  const favoured = /^favou?r_viewpoint_?([1-9])$/.exec(given.resolution)?.[1];
  const stands =
    favoured !== undefined && held.length === viewpoints.length && Number(favoured) <= viewpoints.length;
  return {
    id: `conflict-${section.id}-${index + 1}`,
    topic,
    kind: given.kind,
    viewpoints,
    resolution: stands ? `favor_viewpoint_${favoured}` : 'present_both',
    ...reasonOf(shortLine(given.reason, MAX_REASON_CHARS), grounding),
    findingIds: [...new Set(given.findings.map(({ id }) => id))],
  };
}

/**
 * The model's own reason, as an inference where it has words that no source has. One that brings in a number or a name, or that
 * obeys a source, is none.
 */
function reasonOf(reason: string, grounding: Grounding): Pick<Conflict, 'reason' | 'isInferred'> {
  if (reason === '' || !isBorne(reason, grounding)) return { reason: NO_REASON };
  return isHeld(reason, grounding) ? { reason } : { reason, isInferred: true };
}

export function statedTopic(statement: string): string {
  return shortLine(statement, MAX_LINE_CHARS / 2).replace(/\.$/, '');
}
