import { z } from 'zod';
import type { Warning } from '../../../contracts/run/run';
import { isRecord } from '../../../core/values/is-record';
import type { StepProblem } from '../../../steps/step';

/** Something in an answer that is wrong. `message` is for the model and may quote it; the others are for people, and do not. */
export interface AnswerProblem extends StepProblem {
  code: string;
  /** What was done about it in the end, without anything of the answer in it. */
  warning: string;
}

export interface Reading<Output> {
  /** Null where nothing valid is left. */
  output: Output | null;
  /** What one more turn may mend. */
  problems: AnswerProblem[];
  /** What was mended here, and is to be known all the same. */
  warnings: Warning[];
  /** How many valid parts the output has; of two readings the one with more is the better. */
  parts: number;
}

/** The better of two readings; the earlier where they are as good. */
export function betterReading<Output>(first: Reading<Output>, second: Reading<Output>): Reading<Output> {
  const rank = ({ output, parts, problems }: Reading<Output>): number[] => [
    output === null ? 0 : 1,
    parts,
    -problems.length,
  ];
  const [one, other] = [rank(first), rank(second)];
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (other[at] ?? 0) > (one[at] ?? 0) ? second : first;
}

/** One warning for each kind of problem, with how often it came. */
export function warningsOf(problems: readonly AnswerProblem[]): Warning[] {
  const counts = new Map<string, { warning: Warning; times: number }>();
  for (const { code, warning } of problems) {
    const key = `${code}: ${warning}`;
    const counted = counts.get(key) ?? { warning: { code, message: warning }, times: 0 };
    counted.times += 1;
    counts.set(key, counted);
  }
  return [...counts.values()].map(({ warning: { code, message }, times }) => ({
    code,
    message: times === 1 ? message : `${message} (${times} times)`,
  }));
}

export function unreadable<Output>(message: string, code: string): Reading<Output> {
  const warning = 'A model’s answer could not be read.';
  return { output: null, problems: [{ path: 'answer', message, code, warning }], warnings: [], parts: 0 };
}

/**
 * The items of a list in an answer that keep the item's schema; the others become problems. A list that stands alone
 * where an object with the list was asked for is taken for the list.
 */
export function readItems<Item>(
  answer: unknown,
  key: string,
  schema: z.ZodType<Item>,
  problems: AnswerProblem[],
): { item: Item; path: string }[] {
  const list = listOf(answer, key);
  if (list === null) {
    problems.push({
      path: key,
      message: `the answer has no list "${key}"`,
      code: 'answer-incomplete',
      warning: 'A part of a model’s answer was missing.',
    });
    return [];
  }
  return list.flatMap((value, index) => {
    const path = `${key}.${index}`;
    const parsed = schema.safeParse(value);
    if (parsed.success) return [{ item: parsed.data, path }];
    const issue = parsed.error.issues[0];
    problems.push({
      path: [path, ...(issue?.path ?? []).map(String)].join('.'),
      message: issue?.message ?? 'it does not keep the schema',
      code: 'item-invalid',
      warning: 'An item of a model’s answer did not keep its schema and was dropped.',
    });
    return [];
  });
}

/** As `readItems`, for a list that may be left out. */
export function optionalItems<Item>(
  answer: unknown,
  key: string,
  schema: z.ZodType<Item>,
  problems: AnswerProblem[],
): { item: Item; path: string }[] {
  const value = fieldOf(answer, key);
  return value === undefined || value === null ? [] : readItems({ [key]: value }, key, schema, problems);
}

function listOf(answer: unknown, key: string): unknown[] | null {
  if (isList(answer)) return answer;
  const value = fieldOf(answer, key);
  return isList(value) ? value : null;
}

/** `Array.isArray` makes its elements `any`. */
function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function fieldOf(answer: unknown, key: string): unknown {
  return isRecord(answer) && Object.hasOwn(answer, key) ? answer[key] : undefined;
}

/** A number that is to be a share of 1, in the ways models write it: `0.8`, `"0.8"`, `80`. */
export const Share = z
  .union([z.number(), z.string().transform((text) => Number(text.replace(/\s*%$/, '')))])
  .transform((value) => (value > 1 && value <= 100 ? value / 100 : value))
  .pipe(z.number().min(0).max(1));
