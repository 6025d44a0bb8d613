import type { z } from 'zod';
import type { Reading } from './reading';

/** Why less is asked for: the prompt does not fit, the answer was cut off, the endpoint refuses something, or nothing valid came. */
export type SmallerReason = 'too-long' | 'cut-off' | 'refused' | 'unusable';

/** A step as it goes over the wire: what the answer looks like, and how it becomes the step's output. Pure. */
export interface StepAnswer<Input, Output> {
  /** The answer's schema; null where the answer is Markdown. */
  schema: z.ZodType | null;
  /** The lists of an answer whose items stand each by itself: only those that are wrong are asked for again. */
  lists?: readonly string[];
  /** True if faulty items of `lists` are dropped, and not asked for again, where at least half of the items are valid. */
  dropsFaulty?: boolean;
  /** That of the run where it is absent, as for all that is written. */
  temperature?: number;
  maxOutputTokens(input: Input): number;
  /** `answer` is JSON, or the text of an answer in Markdown. */
  toOutput(input: Input, answer: unknown): Reading<Output>;
  /** Smaller inputs that together ask for the same, or nearly; none where the input cannot be made smaller. */
  smaller(input: Input, reason: SmallerReason): Input[];
  /** What is left to ask where an answer was cut off that has some of it; null where that cannot be told. */
  whatIsLeft?(input: Input, answer: unknown): Input | null;
  /** The input without sources that the endpoint is known to refuse; absent where a step finds them by asking in parts. */
  withoutSources?(input: Input, ids: ReadonlySet<string>): Input;
  /** Whether an output says nothing; where another part failed it is no better than a failure. */
  isEmpty?(output: Output): boolean;
  /** What stands in where nothing valid comes of any answer; without it the step fails then. */
  standIn?(input: Input): Output;
  /** One output from those of smaller inputs, in their order. */
  merge(input: Input, parts: { input: Input; output: Output }[]): Output;
}

/** The items that an answer does not have; null where it has none of them, or all. */
export function leftOf<Item>(
  items: readonly Item[],
  done: readonly (string | undefined)[],
  idOf: (item: Item) => string,
): Item[] | null {
  const left = items.filter((item) => !done.includes(idOf(item)));
  return left.length === items.length || left.length === 0 ? null : left;
}

/** Two halves of a list, the first the larger; none of a list that has no two items. */
export function halves<Item>(items: readonly Item[]): [Item[], Item[]] | null {
  if (items.length < 2) return null;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
