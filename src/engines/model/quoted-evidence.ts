import { z } from 'zod';
import { type Conflict, ConflictKind, type Evidence, type Finding } from '../../contracts/finding';
import type { Warning } from '../../contracts/run';
import type { SourceWindow } from '../../contracts/source';
import { corroboratedConfidence, needsChecking } from '../../evidence/corroboration';
import { createQuoteFinder, type QuoteFinder } from '../../evidence/locate-quote';
import type { CrossCheckInput, FindingCheck } from '../../steps/cross-check';
import { findingShortIds, type ShortIds, sourceShortIds } from '../../steps/material';
import {
  createGrounding,
  type Grounding,
  isFullyGrounded,
  isGrounded,
  lacksAssertion,
  shortLine,
} from './grounding';
import type { AnswerProblem } from './model-step';

export const QuotedSource = z.object({ source: z.string(), quote: z.string() });
export type QuotedSource = z.infer<typeof QuotedSource>;

/** In the sources' own words, each once. Adds a problem for each quote that is not found. */
export function locateEvidence(
  quoted: readonly QuotedSource[],
  context: {
    finder: QuoteFinder;
    ids: ShortIds;
    path: string;
    problems: AnswerProblem[];
    warnings: Warning[];
  },
): Evidence[] {
  const { finder, ids, problems, warnings } = context;
  const evidence: Evidence[] = [];
  for (const [index, { source, quote }] of quoted.entries()) {
    const path = `${context.path}.${index}`;
    const named = ids.idOf(source);
    const located = finder.locate(quote, named);
    if (located === null) {
      problems.push(
        named === undefined
          ? {
              path,
              message: `"${source}" is not one of the sources`,
              code: 'unknown-source',
              warning: 'A citation of a source that was not given was dropped.',
            }
          : {
              path,
              message: `the quote is not in ${source}, nor in another source; copy a sentence of ${source} character by character: "${quote}"`,
              code: 'quote-not-found',
              warning: 'A quote that is not in its source was dropped.',
            },
      );
      continue;
    }
    if (lacksAssertion(located.evidence.quote.trim())) {
      problems.push({
        path,
        message: 'the quote asserts nothing: it is a question, or speaks to a reader',
        code: 'quote-asserts-nothing',
        warning: 'A quote that asserts nothing was dropped.',
      });
      continue;
    }
    if (located.misattributed) {
      warnings.push({
        code: 'quote-misattributed',
        message:
          'A quote was attributed to a source that does not have it, and is cited to the one that has.',
      });
    }
    const { sourceId, start } = located.evidence;
    const known = evidence.some((item) => item.sourceId === sourceId && item.start === start);
    if (!known) evidence.push(located.evidence);
  }
  return evidence;
}

export const MAX_LINE_CHARS = 300;
const MAX_REASON_CHARS = 400;
const NO_REASON = 'The sources give no reason for the difference.';

export const ConflictItem = z.object({
  topic: z.string(),
  kind: ConflictKind.catch('direction'),
  resolution: z.string().catch('present_both'),
  reason: z.string().catch(''),
});

/** The conflict is dropped without a repair. */
export const ONE_SIDED_CONFLICT: Warning = {
  code: 'conflict-invalid',
  message: 'A conflict without two sides that sources hold was dropped.',
};

export interface CrossCheckContext {
  input: CrossCheckInput;
  grounding: Grounding;
  finder: QuoteFinder;
  ids: ShortIds;
  sources: ReadonlyMap<string, SourceWindow>;
  problems: AnswerProblem[];
  warnings: Warning[];
  findingOf(written: string, path: string): Finding | undefined;
}

export function createCrossCheckContext(input: CrossCheckInput): CrossCheckContext {
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

/** By finding id; only for findings that were checked. */
export type QuotesByFinding = ReadonlyMap<string, { supporting: Evidence[]; contradicting: Evidence[] }>;

export function findingChecks(
  { input, sources }: CrossCheckContext,
  found: QuotesByFinding,
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

/** Returns null unless at least 2 sources hold different views. */
export function buildConflict(
  { input: { section }, grounding }: Pick<CrossCheckContext, 'input' | 'grounding'>,
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
  if (viewpoints.length < 2 || topic === '' || !isGrounded(topic, grounding)) return null;
  const favoured = /^favou?r_viewpoint_?([1-9])$/.exec(given.resolution)?.[1];
  const stands =
    favoured !== undefined && held.length === viewpoints.length && Number(favoured) <= viewpoints.length;
  return {
    id: `conflict-${section.id}-${index + 1}`,
    topic,
    kind: given.kind,
    viewpoints,
    resolution: stands ? `favor_viewpoint_${favoured}` : 'present_both',
    ...conflictReason(shortLine(given.reason, MAX_REASON_CHARS), grounding),
    findingIds: [...new Set(given.findings.map(({ id }) => id))],
  };
}

/** A reason with words that no source has is an inference; one with new numbers or names is dropped. */
function conflictReason(reason: string, grounding: Grounding): Pick<Conflict, 'reason' | 'isInferred'> {
  if (reason === '' || !isGrounded(reason, grounding)) return { reason: NO_REASON };
  return isFullyGrounded(reason, grounding) ? { reason } : { reason, isInferred: true };
}

export function topicFromStatement(statement: string): string {
  return shortLine(statement, MAX_LINE_CHARS / 2).replace(/\.$/, '');
}
