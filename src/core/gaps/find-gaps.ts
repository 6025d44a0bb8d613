import type { Gap } from '../contracts/finding';
import { type GapSection, topicStems } from './material';
import { questionGaps } from './question-gaps';
import { sectionGaps } from './section-gaps';

const MOST = 8;
/** No more of one sort: a list of the same complaint about every section tells a reader little. */
const MOST_OF_A_SORT = 2;
/** Questions that share this much of their words are one. */
const SAME = 0.75;
const MOST_OF_A_SECTION = 2;

/**
 * What the material leaves open: parts of the question that no finding answers first, then sections without results,
 * missing figures, topics of the outline without a finding, studies that are all short or small, and findings that
 * nobody repeated. Each is a whole question with its reason, at most eight.
 */
export function findGaps(input: { question: string; sections: readonly GapSection[] }): Gap[] {
  const ranked = input.sections
    .flatMap((section, order) => sectionGaps(input.question, section).map((gap) => ({ ...gap, order })))
    .sort((a, b) => a.rank - b.rank || a.order - b.order);
  const perSort = new Map<number, number>();
  const chosen: Gap[] = [];
  const seen: Set<string>[] = [];
  for (const gap of [
    ...questionGaps(input.question, input.sections).map((found) => ({ ...found, rank: 0, order: 0 })),
    ...ranked,
  ]) {
    const { rank, order: _order, ...plain } = gap;
    const stems = topicStems(gap.question);
    if (chosen.length === MOST) break;
    if (rank > 0 && (perSort.get(rank) ?? 0) >= MOST_OF_A_SORT) continue;
    if (
      chosen.filter((other) => other.sectionId !== undefined && other.sectionId === gap.sectionId).length >=
      MOST_OF_A_SECTION
    )
      continue;
    if (chosen.some((other) => other.question === gap.question)) continue;
    if (rank > 0 && seen.some((other) => overlap(stems, other) >= SAME)) continue;
    perSort.set(rank, (perSort.get(rank) ?? 0) + 1);
    seen.push(stems);
    chosen.push(plain);
  }
  return chosen;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}
