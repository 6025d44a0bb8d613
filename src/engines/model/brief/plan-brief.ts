import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { findingShortIds } from '../../../steps/material/short-ids';
import type { PlanBriefInput, PlanBriefOutput } from '../../../steps/plan-brief/contract';
import { planPartIds } from '../../../steps/plan-brief/prompt';
import { type AnswerProblem, fieldOf, readItems, type Reading } from '../answers/reading';
import { halves, type StepAnswer } from '../answers/step-answer';
import { createGrounding, isBorne } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { mendedPlan, type ProposedPart } from './mended-plan';
import { titleOf } from './run-write-brief';

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
