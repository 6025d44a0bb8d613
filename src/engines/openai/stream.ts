import { APIError, type OpenAI } from 'openai';
import { Stream } from 'openai/core/streaming';
import { isRecord, parsedJson } from '../../lib/json';
import { type FinishReason, type ModelResponse, ThinkingFilter } from '../model/port';
import type { Deadline } from './call';
import { refuseError } from './complaints';
import { malformed } from './endpoint-errors';

export type Answer = Pick<ModelResponse, 'text' | 'finishReason' | 'usage' | 'interrupted'>;

export interface ReadOptions {
  deadline: Deadline;
  onText: (text: string) => void;
}

/** How long to wait for a stream's usage after its text is complete. */
const USAGE_PATIENCE_MS = 5_000;

export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
}

/** Reads the answer in a response, a stream or one JSON object, whichever the endpoint chose. Throws where it was cut off. */
export async function readAnswer(
  { response, api }: { response: Response; api: OpenAI },
  options: ReadOptions,
): Promise<Answer> {
  const { body } = response;
  if (body === null) throw malformed('it has no body');
  if (isEventStream(response)) return readStream(body, api, options);
  const text = (await response.text()).replace(/^\ufeff/, '');
  // Some servers stream under another content type.
  if (/^\s*(?:data|event|id|retry)?:/.test(text)) {
    const events = new Response(text).body;
    if (events !== null) return readStream(events, api, options);
  }
  const parsed = parsedJson(text);
  if (parsed === undefined)
    throw malformed(text.trim() === '' ? 'its body is empty' : 'its body is not JSON');
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
    if (answer.finished) deadline.expect('silence', USAGE_PATIENCE_MS);
    else deadline.expect(answer.begun ? 'silence' : 'beginning');
  };
  expectMore();
  const end = { seen: false };
  const mended = new Response(body.pipeThrough(mendedEvents(expectMore, () => (end.seen = true))));
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(mended, new AbortController(), api)) {
      answer.add(chunk);
      if (answer.begun) deadline.begun();
      // Leaving the loop ends the request.
      if (answer.repeats) break;
      expectMore();
    }
    // The SDK ends a stream that was aborted as if it were complete.
    if (deadline.signal.aborted) throw new Error('The stream was aborted');
    if (end.seen) answer.end();
  } catch (error) {
    // A complete answer is paid for, and is not lost for a connection that ends badly.
    if (!answer.finished || deadline.cancelled) throw error;
  }
  return answer.streamed();
}

/**
 * Makes every `data:` line an event of its own, because some servers leave out blank lines, and drops comments, also those
 * that are sent as data. Ends the stream at `[DONE]`: some servers keep the connection open. `heard` is called for each piece.
 */
function mendedEvents(heard: () => void, ended: () => void): TransformStream<Uint8Array, Uint8Array> {
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
      // Splitting for each piece of a long line would take the square of its length.
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

/** The SDK reads only data, and not that the event is named `error`. */
function errorEvent(data: string): string {
  const parsed = parsedJson(data);
  return JSON.stringify({ error: isRecord(parsed) ? (parsed['error'] ?? parsed) : data });
}

/** Puts an answer together from the chunks of a stream or from one object. */
class AnswerBuilder {
  readonly #onText: (text: string) => void;
  readonly #thinking = new ThinkingFilter();
  /** A model may say a thing several times while it thinks. */
  readonly #repeatedThinking = new RepetitionWatch(20);
  readonly #repetition = new RepetitionWatch(4);
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

  /** The model has said something, if only thinking. Servers open their streams before that. */
  get begun(): boolean {
    return this.#begun;
  }

  get repeats(): boolean {
    return this.#wholeChars !== null;
  }

  /** All of the text has come. Its usage may still come. */
  get finished(): boolean {
    return this.#done || this.#finishReason !== null;
  }

  end(): void {
    this.#done = true;
  }

  add(chunk: unknown): void {
    if (!isRecord(chunk)) throw malformed('its body is no JSON object');
    refuseError(chunk);
    const choice = choiceIn(chunk);
    // Some servers count on in every chunk: the last one counts.
    this.#usage = usageIn(chunk) ?? (choice === null ? null : usageIn(choice)) ?? this.#usage;
    if (choice === null) return;
    if (isRecord(choice['error']) || (typeof choice['error'] === 'string' && choice['error'] !== ''))
      throw new APIError(undefined, { error: choice['error'] }, undefined, undefined);
    this.#hasChoice = true;
    const said = messageIn(choice);
    this.#hasMessage ||= said !== null;
    this.#begun ||= Object.entries(said ?? {}).some(([name, value]) => name !== 'role' && isSaid(value));
    // A message after the deltas repeats them.
    const repeats = isRecord(choice['message']) && this.#text !== '';
    if (said !== null && this.#finishReason === null && !repeats) this.#addMessage(said);
    this.#finishReason ??= finishReasonIn(choice['finish_reason'] ?? choice['stop_reason']);
  }

  /** The answer of a stream that ended. */
  streamed(): Answer {
    if (!this.#hasChoice) throw malformed('there is no answer in its stream');
    if (this.#wholeChars === null && !this.finished)
      throw malformed('its stream ended before the answer did');
    return this.#answer();
  }

  /** The answer of one JSON object. */
  whole(): Answer {
    if (!this.#hasChoice) throw malformed('there is no choice in its body');
    if (!this.#hasMessage) throw malformed('there is no message in its body');
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

  /** How much of the text stands before it repeats itself; null where it does not. */
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
    // The answer of an endpoint that puts it into a tool call or, where the model ended by itself, into its thinking.
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

/** Null in a chunk that only ends the answer. */
function messageIn({ delta, message, text }: Record<string, unknown>): Record<string, unknown> | null {
  const said = [delta, message].find((value) => value !== undefined && value !== null);
  if (isRecord(said)) return said;
  if (said !== undefined) throw malformed('a part of its stream is no object');
  return typeof text === 'string' ? { content: text } : null;
}

/** A string, parts of which some are text, or nothing. Thinking and images are parts too. */
function textIn(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: unknown) => partIn(part)).join('');
  if (isRecord(content)) return partIn(content);
  throw malformed('the content of its answer is no text');
}

function partIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) throw malformed('a part of its answer is neither text nor object');
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
  const field = REASONING_FIELDS.map((name) => said[name]).find((value) => isSaid(value) || isRecord(value));
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

/** The arguments of the first tool call, or a piece of them. */
function argumentsIn(said: Record<string, unknown>): string {
  const calls = said['tool_calls'];
  const first = Array.isArray(calls) ? calls.find(isRecord) : undefined;
  const isFirst = first !== undefined && (first['index'] === undefined || first['index'] === 0);
  const made = isFirst ? first['function'] : said['function_call'];
  if (!isRecord(made)) return '';
  const given = made['arguments'];
  return typeof given === 'string' ? given : isRecord(given) ? JSON.stringify(given) : '';
}

/** Null where the answer has not ended. Throws where the endpoint failed in the middle of it. */
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

/** More tokens than this in one call are a mistake of the endpoint, and would spend a run's budget. */
const MAX_TOKENS = 1e9;

/** Null where there is none that can be right: a call without a prompt is none. */
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

function isSaid(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

/** So much of an answer's end is looked at. */
const WINDOW_CHARS = 4_000;

/** A stretch that is so long together is no text. A line of dashes in a table is shorter. */
const LEAST_CHARS = 300;

/** How much has to come before the end is looked at again, which takes the window's length. */
const STEP_CHARS = 200;

/** Watches a growing text for one stretch over and over, as models write it that do not find their end. */
class RepetitionWatch {
  #tail = '';
  #chars = 0;
  #unseen = 0;
  readonly #times: number;

  /** A stretch that comes so many times in a row is no text. */
  constructor(times: number) {
    this.#times = times;
  }

  /** How much of the text stands before it repeats itself, its stretch once included; null where it does not. */
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

/** The same of a text whose white space varies from one time to the next, as it does in JSON. */
function repeatingWords(text: string, times: number): number | null {
  const places = [...text.matchAll(/\S|\s+/g)].map(({ index }) => index);
  const end = repeatingTail(places.map((place) => text[place]?.replace(/\s/, ' ')).join(''), times);
  return end === null ? null : (places[end] ?? text.length);
}

/**
 * Where the first stretch ends of the longest end of a text that is one stretch over and over; null where there is none. By
 * the prefix function of Knuth, Morris and Pratt over the reversed text: a prefix of length n with a border of length b has
 * the period n - b.
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
    if (chars >= LEAST_CHARS && chars >= times * period) firstEnd = text.length - chars + period;
  }
  return firstEnd;
}
