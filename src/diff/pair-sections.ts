import type { Report } from '../contracts/report/report';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { pairBestFirst } from './pair-best-first';

/** The id of a section in the earlier report → its id in the later one. */
export type SectionPairs = ReadonlyMap<string, string>;

/**
 * Sections of the same title; of the rest, those that share the most findings, and at least half of those that one of
 * the two has in common with the other report.
 */
export function pairSections(
  before: Report['sections'],
  after: Report['sections'],
  /** Where each finding that both reports have stands in the one and in the other. */
  moves: readonly { before: string; after: string }[],
): SectionPairs {
  const pairs = pairBestFirst(before, after, (one, other) => likeness(one, other, moves));
  return new Map(
    [...pairs].flatMap(([at, against]): [string, string][] => {
      const [one, other] = [before[at], after[against]];
      return one === undefined || other === undefined ? [] : [[one.id, other.id]];
    }),
  );
}

function likeness(
  one: Report['sections'][number],
  other: Report['sections'][number],
  moves: readonly { before: string; after: string }[],
): number {
  const sameTitle = sentenceKey(one.title) === sentenceKey(other.title);
  const left = moves.filter(({ before }) => before === one.id);
  const right = moves.filter(({ after }) => after === other.id);
  const shared = left.filter(({ after }) => after === other.id).length;
  if (sameTitle) return moves.length + 1 + shared;
  return shared * 2 >= Math.min(left.length, right.length) ? shared : 0;
}
