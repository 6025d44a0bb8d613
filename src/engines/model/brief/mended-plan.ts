import type { BriefPart, BriefPlan } from '../../../contracts/brief/brief-plan';
import { countWords } from '../../../core/writing/shorten';
import type { PlanBriefInput } from '../../../steps/plan-brief/contract';

export interface ProposedPart extends Pick<BriefPart, 'id' | 'findingIds' | 'guidance'> {
  words: number | null;
}

/** A text of its own words says so much more than the statements that it tells, at most: else it would be padded. */
const MOST_OF_MATERIAL = 1.5;
/** What opens or closes a brief has this share of its words where a plan says nothing of it. */
const FRAME_SHARE = 0.12;
const LEAST_WORDS = 40;
/** Three paragraphs have no more (document 000 gives the opening three at most, the end two). */
const MOST_OF_FRAME = 450;
/** Statements that a part points at where a plan names none: so many of each subtopic. */
const POINTED_AT = 1;

/**
 * A plan that can be written by: every part once and in order; every statement in one subtopic at most, those in disagreements
 * always, and what the plan left out in its own subtopic where there is room; words that add up to what is wanted.
 */
export function mendedPlan(
  input: PlanBriefInput,
  proposed: { title: string; parts: readonly ProposedPart[] },
): BriefPlan {
  const told = toldIn(input, proposed.parts);
  const wordsOf = claimWords(input);
  const material = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => sum + (wordsOf.get(id) ?? 0), 0);
  const body = [...told.values()].reduce((sum, ids) => sum + material(ids), 0);
  const room = input.words ?? input.maxWords;
  const weights = input.parts.map(({ id }) => {
    const own = proposed.parts.filter((part) => part.id === id);
    const planned = own.reduce((sum, { words }) => sum + (words ?? 0), 0);
    if (planned > 0) return planned;
    const ids = told.get(id);
    return ids === undefined ? Math.max(LEAST_WORDS, body * FRAME_SHARE) : Math.max(1, material(ids));
  });
  const planned = weights.reduce((sum, weight) => sum + weight, 0);
  const caps = input.parts.map(({ id }) => {
    const ids = told.get(id);
    const most = ids === undefined ? Math.min(MOST_OF_FRAME, body) : material(ids) * MOST_OF_MATERIAL;
    return Math.max(LEAST_WORDS, Math.ceil(most));
  });
  const words = shareWords(input.words ?? Math.min(room, Math.round(planned)), weights, caps);
  return {
    title: proposed.title,
    parts: input.parts.map(({ id, title }, at) => {
      const own = proposed.parts.filter((part) => part.id === id);
      const guidance = own
        .map((part) => part.guidance)
        .filter((line) => line !== '')
        .join(' ');
      const findingIds =
        told.get(id) ??
        pointedAt(
          input,
          own.flatMap((part) => part.findingIds),
        );
      return { id, title, words: words[at] ?? LEAST_WORDS, guidance, findingIds };
    }),
  };
}

/** What each subtopic's part tells, in the plan's order, then what the plan left out, for as long as there is room. */
function toldIn(input: PlanBriefInput, proposed: readonly ProposedPart[]): Map<string, string[]> {
  const { subtopics, conflicts, words } = input;
  const known = new Set(subtopics.flatMap(({ findings }) => findings.map(({ id }) => id)));
  const told = new Map<string, string[]>(subtopics.map(({ id }) => [id, []]));
  const taken = new Set<string>();
  const take = (partId: string, findingId: string): void => {
    if (!known.has(findingId) || taken.has(findingId)) return;
    taken.add(findingId);
    told.get(partId)?.push(findingId);
  };
  for (const { id, findingIds } of proposed)
    if (told.has(id)) for (const findingId of findingIds) take(id, findingId);

  const wordsOf = claimWords(input);
  let room = words ?? input.maxWords;
  for (const id of taken) room -= wordsOf.get(id) ?? 0;
  const disagreed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  for (const { id, findings } of subtopics) {
    for (const finding of findings) if (disagreed.has(finding.id)) take(id, finding.id);
    const [first] = findings;
    if (told.get(id)?.length === 0 && first !== undefined) take(id, first.id);
  }
  const left = subtopics.flatMap(({ id, findings }) => findings.map((finding) => ({ id, finding })));
  for (const { id, finding } of left.filter((one) => !taken.has(one.finding.id))) {
    room -= wordsOf.get(finding.id) ?? 0;
    if (room < 0) break;
    take(id, finding.id);
  }
  return told;
}

function claimWords({ subtopics }: PlanBriefInput): Map<string, number> {
  return new Map(
    subtopics.flatMap(({ findings }) => findings.map(({ id, claim }) => [id, countWords(claim)] as const)),
  );
}

/** What the opening and the end point at: what the plan says, or what each subtopic says first. */
function pointedAt({ subtopics }: PlanBriefInput, planned: readonly string[]): string[] {
  const known = new Set(subtopics.flatMap(({ findings }) => findings.map(({ id }) => id)));
  const ids = [...new Set(planned)].filter((id) => known.has(id));
  return ids.length > 0
    ? ids
    : subtopics.flatMap(({ findings }) => findings.slice(0, POINTED_AT).map(({ id }) => id));
}

/**
 * Words shared out by weight, none more than its cap; what a cap leaves goes to the others. They add up to the total where
 * the caps allow it. At least one word each.
 */
function shareWords(total: number, weights: readonly number[], caps: readonly number[]): number[] {
  const words = weights.map(() => 0);
  const open = new Set(weights.keys());
  let left = total;
  while (open.size > 0) {
    const sum = [...open].reduce((all, at) => all + (weights[at] ?? 0), 0);
    const shareOf = (at: number): number => (left * (weights[at] ?? 0)) / Math.max(sum, Number.MIN_VALUE);
    const full = [...open].filter((at) => shareOf(at) > (caps[at] ?? Infinity));
    if (full.length === 0) {
      for (const at of open) words[at] = shareOf(at);
      break;
    }
    for (const at of full) {
      words[at] = caps[at] ?? 0;
      left -= words[at] ?? 0;
      open.delete(at);
    }
  }
  return words.map((one) => Math.max(1, Math.round(one)));
}
