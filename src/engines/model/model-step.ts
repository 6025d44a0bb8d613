import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Warning } from '../../contracts/run';
import type { SourceWindow } from '../../contracts/source';
import { isRecord } from '../../lib/json';
import { renderTemplate, type Step, type StepProblem, type StepTemplate } from '../../steps/step';
import { type ModelMessage, withoutThinking } from './port';

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

/**
 * The windows in two halves; a single one in halves of its passages, and a single passage in halves of its text, where it
 * is the length that is at fault. None where nothing can be parted.
 */
export function smallerWindows(windows: readonly SourceWindow[], reason: SmallerReason): SourceWindow[][] {
  const parts = halves(windows);
  if (parts !== null) return parts;
  const [window] = windows;
  if (window === undefined || reason === 'refused' || reason === 'unusable') return [];
  const passages = halves(window.passages);
  if (passages !== null) return passages.map((half) => [{ ...window, passages: half }]);
  const [passage] = window.passages;
  const cut = passage === undefined ? -1 : passage.text.lastIndexOf(' ', passage.text.length / 2);
  if (passage === undefined || cut <= 0) return [];
  const { start, end, text, headings } = passage;
  return [
    [{ ...window, passages: [{ start, end: start + cut, text: text.slice(0, cut), headings }] }],
    [{ ...window, passages: [{ start: start + cut, end, text: text.slice(cut), headings }] }],
  ];
}

export type PromptOf<Input> = (input: Input) => ModelMessage[];

export function promptOf<Input, Output>(
  step: Step<Input, Output>,
  template: StepTemplate,
  secret: string,
): PromptOf<Input> {
  return (input) => {
    const values = step.variables(input, promptMark(secret, questionOf(input)));
    const { system, user } = renderTemplate(step.name, template, values);
    return [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
  };
}

/** Every step's input has the run's question. */
function questionOf(input: unknown): string {
  const { question } = input as { question?: unknown };
  return typeof question === 'string' ? question : '';
}

const MAX_DIAGNOSTICS = 25;
const MAX_DIAGNOSTIC_CHARS = 300;

/** The question, the answer, and what is wrong with it. `request` says what is wanted now. */
export function repairMessages(
  question: readonly ModelMessage[],
  answer: string,
  problems: readonly AnswerProblem[],
  request: string,
): ModelMessage[] {
  return [
    ...question,
    { role: 'assistant', content: withoutThinking(answer) },
    { role: 'user', content: `Your answer has these problems:\n${diagnostics(problems)}\n\n${request}` },
  ];
}

/** The question once more, with what was wrong with an earlier answer: the same words would get the same answer. */
export function askedAnew(
  question: readonly ModelMessage[],
  problems: readonly Pick<AnswerProblem, 'path' | 'message'>[],
): ModelMessage[] {
  const last = question.length - 1;
  const note = `An earlier answer to this could not be used:\n${diagnostics(problems)}\nAnswer without these problems.`;
  return question.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${note}` } : message,
  );
}

function diagnostics(problems: readonly Pick<AnswerProblem, 'path' | 'message'>[]): string {
  const lines = problems.slice(0, MAX_DIAGNOSTICS).map(({ path, message }) => {
    const line = `- ${path}: ${message}`;
    return line.length > MAX_DIAGNOSTIC_CHARS ? `${line.slice(0, MAX_DIAGNOSTIC_CHARS)}…` : line;
  });
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more of these kinds`);
  return lines.join('\n');
}

/**
 * The mark that delimits what others wrote, one for all that is asked for a question: nobody can guess it who does not know
 * the secret, the same question over the same sources is paid for once, and prompts over the same sources begin alike.
 */
export function promptMark(secret: string, question: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['mark', question]))
    .digest('hex')
    .slice(0, 16);
}
