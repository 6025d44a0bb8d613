import { APIError, type OpenAI } from 'openai';
import { Stream } from 'openai/core/streaming';
import { isRecord, tryParseJson } from '../../lib/json';
import { type FinishReason, type ModelResponse, ThinkingFilter } from '../model/port';
import type { Deadline } from './call';
import { throwIfError } from './complaints';
import { malformedResponse } from './endpoint-errors';

export type Answer = Pick<ModelResponse, 'text' | 'finishReason' | 'usage' | 'interrupted'>;

export interface ReadOptions {
  deadline: Deadline;
  onText: (text: string) => void;
}

const USAGE_TIMEOUT_MS = 5_000;

export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
}

/** Throws if the answer was cut off. */
export async function readAnswer(
  { response, api }: { response: Response; api: OpenAI },
  options: ReadOptions,
): Promise<Answer> {
  const { body } = response;
  if (body === null) throw malformedResponse('it has no body');
  if (isEventStream(response)) return readStream(body, api, options);
  const text = (await response.text()).replace(/^\ufeff/, '');
  // Some servers stream under another content type.
  if (/^\s*(?:data|event|id|retry)?:/.test(text)) {
    const events = new Response(text).body;
    if (events !== null) return readStream(events, api, options);
  }
  const parsed = tryParseJson(text);
  if (parsed === undefined)
    throw malformedResponse(text.trim() === '' ? 'its body is empty' : 'its body is not JSON');
  const answer = new AnswerBuilder(options.onText);
  answer.add(parsed);
  return answer.whole();
}

async function readStream(
  body: NonNullable<Response['body']>,
  api: OpenAI,
  options: ReadOptions,
): Promise<Answer> {
  const { deadline, onText } = options;
  const answer = new AnswerBuilder(onText);
  const expectMore = (): void => {
    if (answer.finished) deadline.expect('silence', USAGE_TIMEOUT_MS);
    else deadline.expect(answer.begun ? 'silence' : 'beginning');
  };
  expectMore();
  const end = { seen: false };
  const mended = new Response(body.pipeThrough(repairEvents(expectMore, () => (end.seen = true))));
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(mended, new AbortController(), api)) {
      answer.add(chunk);
      if (answer.begun) deadline.begun();
      if (answer.repeats) break;
      expectMore();
    }
    // The SDK ends an aborted stream as if it were complete.
    if (deadline.signal.aborted) throw new Error('The stream was aborted');
    if (end.seen) answer.end();
  } catch (error) {
    // A complete answer is paid for, so a failing connection does not discard it.
    if (!answer.finished || deadline.cancelled) throw error;
  }
  return answer.streamed();
}

/** One event per `data:` line: some servers omit blank lines. Ends at `[DONE]`: some keep the connection open. */
function repairEvents(heard: () => void, ended: () => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let isError = false;
  const take = (line: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    const [, field = '', value = ''] =
      /^(data|event): ?(.*)$/.exec(line) ?? (/^\{/.test(line) ? ['', 'data', line] : []);
    if (field === 'event') isError = value === 'error';
    if (field !== 'data' || value.trim() === '' || value.startsWith(':')) return;
    if (value.startsWith('[DONE]')) {
      ended();
      controller.terminate();
      return;
    }
    controller.enqueue(encoder.encode(`data: ${isError ? errorEvent(value) : value}\n\n`));
    isError = false;
  };
  return new TransformStream({
    transform(piece, controller) {
      heard();
      const text = decoder.decode(piece, { stream: true });
      rest += text;
      // Splitting each chunk of a long line would take quadratic time.
      if (!/[\r\n]/.test(text)) return;
      const lines = rest.split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      for (const line of lines) take(line, controller);
    },
    flush(controller) {
      take(rest, controller);
    },
  });
}

/** The SDK ignores an event's name, so an event named `error` becomes an error object. */
function errorEvent(data: string): string {
  const parsed = tryParseJson(data);
  return JSON.stringify({ error: isRecord(parsed) ? (parsed['error'] ?? parsed) : data });
}

class AnswerBuilder {
  readonly #onText: (text: string) => void;
  readonly #thinking = new ThinkingFilter();
  /** A model may repeat itself several times while it thinks. */
  readonly #repeatedThinking = new RepetitionDetector(20);
  readonly #repetition = new RepetitionDetector(4);
  #visibleChars = 0;
  #text = '';
  #refusal = '';
  #reasoning = '';
  #arguments = '';
  #finishReason: FinishReason | null = null;
  #usage: Answer['usage'] = null;
  #hasChoice = false;
  #hasMessage = false;
  #begun = false;
  #wholeChars: number | null = null;
  #done = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** True once the model has sent text or thinking. Servers open streams earlier. */
  get begun(): boolean {
    return this.#begun;
  }

  get repeats(): boolean {
    return this.#wholeChars !== null;
  }

  /** The usage may follow. */
  get finished(): boolean {
    return this.#done || this.#finishReason !== null;
  }

  end(): void {
    this.#done = true;
  }

  add(chunk: unknown): void {
    if (!isRecord(chunk)) throw malformedResponse('its body is no JSON object');
    throwIfError(chunk);
    const choice = choiceIn(chunk);
    // Some servers send a running count in each chunk; the last one is valid.
    this.#usage = usageIn(chunk) ?? (choice === null ? null : usageIn(choice)) ?? this.#usage;
    if (choice === null) return;
    if (isRecord(choice['error']) || (typeof choice['error'] === 'string' && choice['error'] !== ''))
      throw new APIError(undefined, { error: choice['error'] }, undefined, undefined);
    this.#hasChoice = true;
    const said = messageIn(choice);
    this.#hasMessage ||= said !== null;
    this.#begun ||= Object.entries(said ?? {}).some(([name, value]) => name !== 'role' && hasContent(value));
    // A message after the deltas repeats them.
    const repeats = isRecord(choice['message']) && this.#text !== '';
    if (said !== null && this.#finishReason === null && !repeats) this.#addMessage(said);
    this.#finishReason ??= finishReasonIn(choice['finish_reason'] ?? choice['stop_reason']);
  }

  streamed(): Answer {
    if (!this.#hasChoice) throw malformedResponse('there is no answer in its stream');
    if (this.#wholeChars === null && !this.finished)
      throw malformedResponse('its stream ended before the answer did');
    return this.#answer();
  }

  whole(): Answer {
    if (!this.#hasChoice) throw malformedResponse('there is no choice in its body');
    if (!this.#hasMessage) throw malformedResponse('there is no message in its body');
    return this.#answer();
  }

  #addMessage(said: Record<string, unknown>): void {
    if (typeof said['refusal'] === 'string') this.#refusal += said['refusal'];
    this.#reasoning += reasoningIn(said);
    this.#arguments += argumentsIn(said);
    const text = textIn(said['content']);
    if (text === '') return;
    this.#text += text;
    this.#wholeChars ??= this.#repeatsAfter(text);
    this.#onText(text);
  }

  #repeatsAfter(text: string): number | null {
    const visible = this.#thinking.push(text);
    if (visible === '') return this.#visibleChars > 0 ? null : this.#repeatedThinking.push(text);
    this.#visibleChars += visible.length;
    const end = this.#repetition.push(visible);
    return end === null ? null : this.#text.length - this.#visibleChars + end;
  }

  #answer(): Answer {
    const usage = this.#usage;
    if (this.#wholeChars !== null)
      return {
        text: this.#text.slice(0, this.#wholeChars),
        finishReason: 'length',
        usage,
        interrupted: 'repetition',
      };
    const finishReason = this.#finishReason ?? 'other';
    if (this.#text !== '') return { text: this.#text, finishReason, usage };
    if (this.#refusal !== '') return { text: this.#refusal, finishReason: 'content-filter', usage };
    // Some endpoints put the answer into a tool call or, after a regular end, into the thinking.
    const beside = this.#arguments || (finishReason === 'stop' ? this.#reasoning : '');
    if (beside !== '') this.#onText(beside);
    return { text: beside, finishReason, usage };
  }
}

function choiceIn({ choices }: Record<string, unknown>): Record<string, unknown> | null {
  if (!Array.isArray(choices)) return null;
  const records = choices.filter(isRecord);
  return records.find((choice) => choice['index'] === 0 || choice['index'] === undefined) ?? null;
}

/** Null for a chunk that only ends the answer. */
function messageIn({ delta, message, text }: Record<string, unknown>): Record<string, unknown> | null {
  const said = [delta, message].find((value) => value !== undefined && value !== null);
  if (isRecord(said)) return said;
  if (said !== undefined) throw malformedResponse('a part of its stream is no object');
  return typeof text === 'string' ? { content: text } : null;
}

/** Accepts a string, a list of parts, or nothing. Skips thinking and images. */
function textIn(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: unknown) => partIn(part)).join('');
  if (isRecord(content)) return partIn(content);
  throw malformedResponse('the content of its answer is no text');
}

function partIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) throw malformedResponse('a part of its answer is neither text nor object');
  const { type, text } = part;
  if (type !== undefined && type !== 'text' && type !== 'output_text') return '';
  return typeof text === 'string' ? text : '';
}

const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'reasoning_details',
];

function reasoningIn(said: Record<string, unknown>): string {
  const field = REASONING_FIELDS.map((name) => said[name]).find(
    (value) => hasContent(value) || isRecord(value),
  );
  return [field]
    .flat()
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      if (!isRecord(part)) return '';
      const text = part['text'] ?? part['summary'] ?? part['content'];
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

function argumentsIn(said: Record<string, unknown>): string {
  const calls = said['tool_calls'];
  const first = Array.isArray(calls) ? calls.find(isRecord) : undefined;
  const isFirst = first !== undefined && (first['index'] === undefined || first['index'] === 0);
  const made = isFirst ? first['function'] : said['function_call'];
  if (!isRecord(made)) return '';
  const given = made['arguments'];
  return typeof given === 'string' ? given : isRecord(given) ? JSON.stringify(given) : '';
}

/** Null if the answer has not ended. Throws `APIError` if the endpoint failed during it. */
function finishReasonIn(reason: unknown): FinishReason | null {
  if (reason === undefined || reason === null || reason === '') return null;
  const name = typeof reason === 'string' ? reason.toLowerCase() : '';
  if (/error|abort|cancel|insufficient/.test(name))
    throw new APIError(undefined, { message: 'The answer broke off', code: name }, undefined, undefined);
  if (/filter|safety|prohibited|blocklist|recitation|sensitive|refus|spii|guardrail/.test(name))
    return 'content-filter';
  if (/length|max|limit|window/.test(name)) return 'length';
  return /stop|^end|eos|tool|function|complete|finish/.test(name) ? 'stop' : 'other';
}

/** Larger counts are errors of the endpoint and would use up a run's budget. */
const MAX_TOKENS = 1e9;

/** Null for implausible counts, such as 0 prompt tokens. */
function usageIn(body: Record<string, unknown>): Answer['usage'] {
  const beside = isRecord(body['x_groq']) ? body['x_groq']['usage'] : undefined;
  const usage = isRecord(body['usage']) ? body['usage'] : beside;
  if (!isRecord(usage)) return null;
  const inputTokens = usage['prompt_tokens'] ?? usage['input_tokens'];
  const outputTokens = usage['completion_tokens'] ?? usage['output_tokens'];
  if (!isCount(inputTokens) || !isCount(outputTokens) || inputTokens === 0) return null;
  return { inputTokens: Math.round(inputTokens), outputTokens: Math.round(outputTokens) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TOKENS;
}

function hasContent(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

const WINDOW_CHARS = 4_000;

/** Shorter repetitions occur in text, such as a line of dashes in a table. */
const MIN_REPEATED_CHARS = 300;

/** Characters between two inspections, each of which takes time linear in the window. */
const STEP_CHARS = 200;

class RepetitionDetector {
  #tail = '';
  #chars = 0;
  #unseen = 0;
  readonly #times: number;

  constructor(times: number) {
    this.#times = times;
  }

  /** The length of the text up to the end of the first repetition; null if there is none. */
  push(text: string): number | null {
    this.#chars += text.length;
    this.#unseen += text.length;
    this.#tail = `${this.#tail}${text}`.slice(-WINDOW_CHARS);
    if (this.#unseen < STEP_CHARS) return null;
    this.#unseen = 0;
    const end = repeatingTail(this.#tail, this.#times) ?? repeatingWords(this.#tail, this.#times);
    return end === null ? null : this.#chars - this.#tail.length + end;
  }
}

/** Ignores differences in white space, as in repeated JSON. */
function repeatingWords(text: string, times: number): number | null {
  const places = [...text.matchAll(/\S|\s+/g)].map(({ index }) => index);
  const end = repeatingTail(places.map((place) => text[place]?.replace(/\s/, ' ')).join(''), times);
  return end === null ? null : (places[end] ?? text.length);
}

/**
 * Prefix function of Knuth, Morris and Pratt on the reversed text: a prefix of length n with a border of length b has
 * the period n - b. Returns the end of the first stretch, or null.
 */
function repeatingTail(text: string, times: number): number | null {
  const borders = new Int32Array(text.length);
  const at = (index: number): number => text.charCodeAt(text.length - 1 - index);
  let firstEnd: number | null = null;
  let border = 0;
  for (let index = 1; index < text.length; index += 1) {
    while (border > 0 && at(border) !== at(index)) border = borders[border - 1] ?? 0;
    if (at(border) === at(index)) border += 1;
    borders[index] = border;
    const chars = index + 1;
    const period = chars - border;
    if (chars >= MIN_REPEATED_CHARS && chars >= times * period) firstEnd = text.length - chars + period;
  }
  return firstEnd;
}
