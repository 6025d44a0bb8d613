import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Warning } from '../../contracts/run';
import type { SourceWindow } from '../../contracts/source';
import { isRecord } from '../../lib/json';
import { renderTemplate, type Step, type StepProblem, type StepTemplate } from '../../steps/step';
import { type ModelMessage, withoutThinking } from './port';

/** The prompt is too long, the answer was cut off, the endpoint rejects something, or nothing was valid. */
export type SplitReason = 'too-long' | 'cut-off' | 'refused' | 'unusable';

/** The schema of a step's answer and its conversion to output. Pure. */
export interface AnswerFormat<Input, Output> {
  /** Null for Markdown. */
  schema: z.ZodType | null;
  /** Lists of independent items, of which only faulty ones are requested again. */
  lists?: readonly string[];
  /** True drops faulty items of `lists` without a repair, if at least half of the items are valid. */
  dropsFaulty?: boolean;
  /** Default: the run's temperature. */
  temperature?: number;
  maxOutputTokens(input: Input): number;
  /** `answer` is parsed JSON, or Markdown. */
  toOutput(input: Input, answer: unknown): ParseResult<Output>;
  /** Smaller inputs that together cover this one, or nearly; empty if it cannot be split. */
  smaller(input: Input, reason: SplitReason): Input[];
  /** The rest of the input after a truncated answer; null if it is unknown. */
  whatIsLeft?(input: Input, answer: unknown): Input | null;
  /** The input without rejected sources. If absent, the step finds them by splitting its input. */
  withoutSources?(input: Input, ids: ReadonlySet<string>): Input;
  /** True if the output has no content. If another part failed as well, the step fails. */
  isEmpty?(output: Output): boolean;
  standIn?(input: Input): Output;
  merge(input: Input, parts: { input: Input; output: Output }[]): Output;
}

/** Null if the answer lacks none or all of the items. */
export function unansweredItems<Item>(
  items: readonly Item[],
  done: readonly (string | undefined)[],
  idOf: (item: Item) => string,
): Item[] | null {
  const left = items.filter((item) => !done.includes(idOf(item)));
  return left.length === items.length || left.length === 0 ? null : left;
}

/** The larger half first; null for fewer than 2 items. */
export function halves<Item>(items: readonly Item[]): [Item[], Item[]] | null {
  if (items.length < 2) return null;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** `message` is for the model and may quote its answer. `code` and `warning` are for people and do not. */
export interface AnswerProblem extends StepProblem {
  code: string;
  warning: string;
}

export interface ParseResult<Output> {
  /** Null if nothing is valid. */
  output: Output | null;
  /** Problems that a repair turn may solve. */
  problems: AnswerProblem[];
  /** Problems that were already solved but are reported. */
  warnings: Warning[];
  parts: number;
}

/** Returns the first result on a tie. */
export function betterResult<Output>(
  first: ParseResult<Output>,
  second: ParseResult<Output>,
): ParseResult<Output> {
  const rank = ({ output, parts, problems }: ParseResult<Output>): number[] => [
    output === null ? 0 : 1,
    parts,
    -problems.length,
  ];
  const [one, other] = [rank(first), rank(second)];
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (other[at] ?? 0) > (one[at] ?? 0) ? second : first;
}

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

export function unreadableAnswer<Output>(message: string, code: string): ParseResult<Output> {
  const warning = 'A model’s answer could not be read.';
  return { output: null, problems: [{ path: 'answer', message, code, warning }], warnings: [], parts: 0 };
}

/** Adds a problem for each invalid item. Accepts a bare list in place of the object. */
export function parseItems<Item>(
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

export function parseOptionalItems<Item>(
  answer: unknown,
  key: string,
  schema: z.ZodType<Item>,
  problems: AnswerProblem[],
): { item: Item; path: string }[] {
  const value = fieldOf(answer, key);
  return value === undefined || value === null ? [] : parseItems({ [key]: value }, key, schema, problems);
}

function listOf(answer: unknown, key: string): unknown[] | null {
  if (isList(answer)) return answer;
  const value = fieldOf(answer, key);
  return isList(value) ? value : null;
}

/** `Array.isArray` types the elements as `any`. */
function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function fieldOf(answer: unknown, key: string): unknown {
  return isRecord(answer) && Object.hasOwn(answer, key) ? answer[key] : undefined;
}

/** A proportion as models write it, parsed to 0–1: `0.8`, `"0.8"`, `80` or `"80 %"`. */
export const Share = z
  .union([z.number(), z.string().transform((text) => Number(text.replace(/\s*%$/, '')))])
  .transform((value) => (value > 1 && value <= 100 ? value / 100 : value))
  .pipe(z.number().min(0).max(1));

/**
 * Halves the windows. Halves the passages or the text of a single window if the request or its answer was too
 * long. Empty if nothing can be split.
 */
export function splitWindows(windows: readonly SourceWindow[], reason: SplitReason): SourceWindow[][] {
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

export type PromptRenderer<Input> = (input: Input) => ModelMessage[];

export function createPromptRenderer<Input, Output>(
  step: Step<Input, Output>,
  template: StepTemplate,
  secret: string,
): PromptRenderer<Input> {
  return (input) => {
    const values = step.variables(input, promptDelimiter(secret, questionOf(input)));
    const { system, user } = renderTemplate(step.name, template, values);
    return [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
  };
}

function questionOf(input: unknown): string {
  const { question } = input as { question?: unknown };
  return typeof question === 'string' ? question : '';
}

const MAX_DIAGNOSTICS = 25;
const MAX_DIAGNOSTIC_CHARS = 300;

export function repairMessages(
  question: readonly ModelMessage[],
  answer: string,
  problems: readonly AnswerProblem[],
  request: string,
): ModelMessage[] {
  return [
    ...question,
    { role: 'assistant', content: withoutThinking(answer) },
    { role: 'user', content: `Your answer has these problems:\n${formatProblems(problems)}\n\n${request}` },
  ];
}

/** Adds the problems of an earlier answer to the prompt. The unchanged prompt would return the same answer. */
export function withEarlierProblems(
  question: readonly ModelMessage[],
  problems: readonly Pick<AnswerProblem, 'path' | 'message'>[],
): ModelMessage[] {
  const last = question.length - 1;
  const note = `An earlier answer to this could not be used:\n${formatProblems(problems)}\nAnswer without these problems.`;
  return question.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${note}` } : message,
  );
}

function formatProblems(problems: readonly Pick<AnswerProblem, 'path' | 'message'>[]): string {
  const lines = problems.slice(0, MAX_DIAGNOSTICS).map(({ path, message }) => {
    const line = `- ${path}: ${message}`;
    return line.length > MAX_DIAGNOSTIC_CHARS ? `${line.slice(0, MAX_DIAGNOSTIC_CHARS)}…` : line;
  });
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more of these kinds`);
  return lines.join('\n');
}

/** Delimits untrusted text. One mark per question, for the response cache; unguessable without the secret. */
export function promptDelimiter(secret: string, question: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['mark', question]))
    .digest('hex')
    .slice(0, 16);
}
