import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { findingShortIds } from '../../../steps/material/short-ids';
import type { PlanBriefInput, PlanBriefOutput } from '../../../steps/plan-brief/contract';
import { planPartIds } from '../../../steps/plan-brief/prompt';
import { type AnswerProblem, fieldOf, readItems, type Reading } from '../answers/reading';
import { halves, type StepAnswer } from '../answers/step-answer';
import { createGrounding, isBorne } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { titleOf } from './run-write-brief';
import type { BriefPart, BriefPlan } from '../../../contracts/brief/brief-plan';
import { countWords } from '../../../core/writing/shorten';

/** A text of its own words says so much more than the statements that it tells, at most: else it would be padded. */
const MOST_OF_MATERIAL = 1.5;

/** What opens or closes a brief has this share of its words where a plan says nothing of it. */
const FRAME_SHARE = 0.12;

const LEAST_WORDS = 40;

/** Three paragraphs have no more (document 000 gives the opening three at most, the end two). */
const MOST_OF_FRAME = 450;

/** Statements that a part points at where a plan names none: so many of each subtopic. */
const POINTED_AT = 1;

const MAX_GUIDANCE_CHARS = 500;

const Answer = z.object({
  title: z.string(),
  parts: z.array(
    z.object({ part: z.string(), words: z.number(), guidance: z.string(), findings: z.array(z.string()) }),
  ),
});

const Part = z.object({
  part: z.string(),
  words: z.coerce.number().positive().nullish().catch(null),
  guidance: z.string().nullish().catch(null),
  findings: z
    .array(z.string())
    .nullish()
    .catch(null)
    .transform((list) => list ?? []),
});

export const planBriefAnswer: StepAnswer<PlanBriefInput, PlanBriefOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.planBrief,
  toOutput: planOf,
  smaller: (input) =>
    (halves(input.subtopics) ?? []).map((subtopics) => {
      const ids = new Set(subtopics.map(({ id }) => id));
      const parts = input.parts.filter(({ id }) => !id.startsWith('subtopic-') || ids.has(id));
      return { ...input, subtopics, parts };
    }),
  merge: (input, parts) =>
    mendedPlan(input, {
      title: parts[0]?.output.title ?? input.question,
      parts: parts.flatMap(({ output }) => output.parts),
    }),
};

/** Of whatever can be read of it a plan is made; what is not as it was asked for is mended, and told. */
function planOf(input: PlanBriefInput, answer: unknown): Reading<PlanBriefOutput> {
  const problems: AnswerProblem[] = [];
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const ids = findingShortIds(findings);
  const partIds = planPartIds(input);
  const grounding = createGrounding([
    input.question,
    ...input.parts.flatMap(({ title, instruction }) => [title, instruction]),
    ...findings.map(({ claim }) => claim),
  ]);
  const proposed: ProposedPart[] = [];
  for (const { item, path } of readItems(answer, 'parts', Part, problems)) {
    const id = partIds.idOf(item.part) ?? input.parts.find((part) => part.id === item.part.trim())?.id;
    if (id === undefined) {
      problems.push(unknown(path, item.part, 'part'));
      continue;
    }
    const findingIds = item.findings.flatMap((written) => {
      const known = ids.idOf(written);
      if (known === undefined) problems.push(unknown(path, written, 'statement'));
      return known ?? [];
    });
    const written = shortLine(item.guidance ?? '', MAX_GUIDANCE_CHARS);
    const guidance = isBorne(written, grounding) ? written : '';
    proposed.push({ id, words: item.words ?? null, guidance, findingIds });
  }
  for (const { id } of input.parts.filter((part) => !proposed.some((one) => one.id === part.id))) {
    problems.push({
      path: 'parts',
      message: `${partIds.shortOf(id)} is missing`,
      code: 'part-missing',
      warning: 'A part that a plan left out was added to it.',
    });
  }
  if (proposed.length === 0) return { output: null, problems, warnings: [], parts: 0 };
  const written = fieldOf(answer, 'title');
  const title = typeof written === 'string' ? titleOf(written, input) : null;
  const output = mendedPlan(input, { title: title ?? input.question, parts: proposed });
  return { output, problems, warnings: [], parts: proposed.length };
}

function unknown(path: string, written: string, what: 'part' | 'statement'): AnswerProblem {
  return {
    path,
    message: `"${written}" is not one of the ${what}s`,
    code: `unknown-${what}`,
    warning: `A ${what} that was not given was dropped from the plan.`,
  };
}

interface ProposedPart extends Pick<BriefPart, 'id' | 'findingIds' | 'guidance'> {
  words: number | null;
}

/**
 * A plan that can be written by: every part once and in order; every statement in one subtopic at most, those in disagreements
 * always, and what the plan left out in its own subtopic where there is room; words that add up to what is wanted.
 */
function mendedPlan(
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
