import { terms } from '../../../language/words';
import type { Point } from './overview-material';

/** Points so that each stands behind the one with which it shares most of its words, in `paragraphs` parted where least is shared. */
export function inThreads(points: readonly Point[], paragraphs: 1 | 2): Point[][] {
  const [first, ...others] = points;
  if (first === undefined) return [];
  const words = new Map(points.map((point) => [point, new Set(terms(point.statement.finding.claim))]));
  const nearness = (one: Point, other: Point): number => {
    const [own, its] = [words.get(one) ?? new Set(), words.get(other) ?? new Set()];
    const shared = [...own].filter((word) => its.has(word)).length;
    return shared / Math.max(1, Math.min(own.size, its.size));
  };
  const thread = [first];
  const left = new Set(others);
  for (let last = first; left.size > 0;) {
    last = [...left].reduce((best, one) => (nearness(last, one) > nearness(last, best) ? one : best));
    thread.push(last);
    left.delete(last);
  }
  if (paragraphs === 1) return [thread];
  // A paragraph of one statement has no thread.
  const cuts = thread
    .slice(2, -1)
    .map((point, at) => ({ at: at + 2, nearness: nearness(thread[at + 1] ?? point, point) }));
  const [{ at } = { at: thread.length }] = cuts.sort((a, b) => a.nearness - b.nearness || a.at - b.at);
  return [thread.slice(0, at), thread.slice(at)].filter((part) => part.length > 0);
}
