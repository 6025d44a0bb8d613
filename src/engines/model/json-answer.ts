import { jsonrepair } from 'jsonrepair';
import { isRecord, tryParseJson } from '../../lib/json';
import type { Step } from '../../steps/step';
import { type AnswerFormat, type ParseResult, type PromptRenderer, unreadableAnswer } from './model-step';
import { type FinishReason, type ModelResponse, withoutThinking } from './port';

interface ReadStep<Input, Output> {
  step: Step<Input, Output>;
  answer: AnswerFormat<Input, Output>;
  prompt: PromptRenderer<Input>;
}

export function parseAnswer<Input, Output>(
  { answer }: Pick<ReadStep<Input, Output>, 'answer'>,
  response: ModelResponse,
): { value: unknown } | { unread: ParseResult<Output> } {
  const complete = response.finishReason !== 'length';
  if (answer.schema === null) return { value: withoutThinking(response.text) };
  let value: unknown;
  try {
    value = complete ? jsonFromAnswer(response.text, response.finishReason) : completeItems(response.text);
  } catch (error) {
    if (!(error instanceof AnswerNotJsonError)) throw error;
    const message = 'it is not JSON; answer with one JSON object and nothing else';
    return { unread: unreadableAnswer(message, 'answer-not-json') };
  }
  return { value };
}

export function readResponse<Input, Output>(
  asked: ReadStep<Input, Output>,
  input: Input,
  response: ModelResponse,
): ParseResult<Output> {
  const read = parseAnswer(asked, response);
  return 'unread' in read ? read.unread : readValue(asked, input, read.value);
}

export function readValue<Input, Output>(
  { step, answer }: Pick<ReadStep<Input, Output>, 'step' | 'answer'>,
  input: Input,
  value: unknown,
): ParseResult<Output> {
  const reading = answer.toOutput(input, value);
  if (reading.output === null) return reading;
  const broken = [
    ...(step.output.safeParse(reading.output).error?.issues ?? []).map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    })),
    ...step.check(input, reading.output),
  ];
  if (broken.length === 0) return reading;
  const problems = broken.map((problem) => ({
    ...problem,
    code: 'answer-invalid',
    warning: 'A model’s answer broke its step’s contract.',
  }));
  return { ...reading, output: null, problems: [...reading.problems, ...problems] };
}

/** The message contains nothing of the answer. */
export class AnswerNotJsonError extends Error {
  override readonly name = 'AnswerNotJsonError';
}

/** Repair time grows faster than the length. */
const MAX_REPAIRED_CHARS = 2_000_000;

/**
 * Takes the whole text, or the last object that parses, or a longer broken one after repair. Arrays only count without
 * objects, because citations look like them. Truncated answers are not repaired.
 */
export function jsonFromAnswer(text: string, finishReason: FinishReason): unknown {
  const plain = text.replace(/^\ufeff/, '');
  const whole = parseStructure(plain);
  if (whole !== null) return unwrapToolCall(whole);
  const answer = withoutThinking(plain);
  if (answer.trim() === '') throw new AnswerNotJsonError('The answer is empty.');
  const spans = jsonSpans(answer);
  if (finishReason === 'length' && spans.at(-1)?.closed !== true) {
    throw new AnswerNotJsonError('The answer was cut off before its JSON was complete.');
  }
  const repairs = finishReason !== 'length';
  const found =
    bestSpan(
      spans.filter(({ text: span }) => span.startsWith('{')),
      repairs,
    ) ??
    bestSpan(
      spans.filter(({ text: span }) => span.startsWith('[')),
      repairs,
    );
  if (found === null) throw new AnswerNotJsonError('There is no JSON in the answer.');
  return unwrapToolCall(found);
}

/** `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, a tool call written as text. */
function unwrapToolCall(found: object): object {
  if (!isRecord(found) || Object.keys(found).sort().join() !== 'arguments,name') return found;
  return isRecord(found['arguments']) ? found['arguments'] : found;
}

function bestSpan(spans: readonly JsonSpan[], repairs: boolean): object | null {
  let best: { value: object; chars: number } | null = null;
  const broken: JsonSpan[] = [];
  for (const span of spans) {
    const value = span.closed ? parseStructure(span.text) : null;
    if (value === null) broken.push(span);
    else best = { value, chars: span.text.length };
  }
  for (const span of repairs ? broken.reverse() : []) {
    if (best !== null && span.text.length <= best.chars) continue;
    const value = repairJson(span.text);
    if (value !== null) return value;
  }
  return best?.value ?? null;
}

/** Also parses JSON within a JSON string. Null for everything else. */
function parseStructure(text: string): object | null {
  const value = tryParseJson(text);
  const inner = typeof value === 'string' ? tryParseJson(value) : value;
  return typeof inner === 'object' ? inner : null;
}

function repairJson(text: string): object | null {
  if (text.length > MAX_REPAIRED_CHARS) return null;
  try {
    return parseStructure(jsonrepair(text));
  } catch {
    // `jsonrepair` throws if it finds nothing to repair, and overflows the stack on 1,000 brackets.
    return null;
  }
}

interface JsonSpan {
  text: string;
  closed: boolean;
}

/** Nested pairs are excluded: a part of an answer is not the answer. */
function jsonSpans(text: string): JsonSpan[] {
  const spans: JsonSpan[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      // In prose, quotation marks are only quotation marks.
      inString = depth > 0;
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = index;
      depth += 1;
    } else if ((character === '}' || character === ']') && depth > 0) {
      depth -= 1;
      if (depth === 0) spans.push({ text: text.slice(start, index + 1), closed: true });
    }
  }
  if (depth > 0) spans.push({ text: text.slice(start), closed: false });
  return spans;
}

/** Cuts a truncated answer after its last complete object. Null without one. */
export function completeItems(answer: string): unknown {
  const text = withoutThinking(answer);
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end <= start) return null;
  try {
    return JSON.parse(jsonrepair(text.slice(start, end + 1)));
  } catch {
    return null; // the caller says what it means that there is nothing
  }
}
