import {
  malformed,
  type Answer,
  choiceIn,
  answerBeside,
  argumentsIn,
  finishReasonIn,
  reasoningIn,
  refuseError,
  textIn,
  usageIn,
} from './answer-parts';
import type { Deadline } from '../endpoint/endpoint-deadline';
import { isRecord } from '../../../core/values/is-record';
import { parsedJson } from '../../../core/values/parsed-json';
import { complaintOf } from '../endpoint/endpoint-complaint';
import { EndpointComplaintError } from '../endpoint/endpoint-complaint-error';
import type { FinishReason } from '../../model/port/model-client';
import { ModelFailure } from '../../model/port/model-failure';

/**
 * Takes an event stream apart, whatever the pieces are that it comes in: cut inside of characters, between the two
 * characters of a line's end, with comments in between. An event that the stream's end cuts off before its blank line
 * is given too, which the standard would drop: some servers leave out the last one.
 */
class StreamEvents {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #held = '';
  #name = '';
  #data: string[] = [];

  push(piece: Uint8Array): StreamEvent[] {
    return this.#lines(this.#decoder.decode(piece, { stream: true }));
  }

  end(): StreamEvent[] {
    const last = this.#lines(`${this.#decoder.decode()}\n`);
    return [...last, ...this.#dispatch()];
  }

  #lines(text: string): StreamEvent[] {
    // A carriage return at the end may be the first half of a line's end.
    const whole = `${this.#held}${text}`;
    this.#held = whole.endsWith('\r') ? '\r' : '';
    const sure = whole.slice(0, whole.length - this.#held.length);
    // Looking through the rest for each piece of a long line would take the square of its length.
    if (!/[\r\n]/.test(sure)) {
      this.#rest += sure;
      return [];
    }
    const lines = `${this.#rest}${sure}`.split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    // Some servers write their comments as data.
    if (field === 'data' && !value.startsWith(':')) this.#data.push(value);
    if (field === 'event') this.#name = value;
    return [];
  }

  #dispatch(): StreamEvent[] {
    const event = { name: this.#name, data: this.#data.join('\n') };
    this.#name = '';
    this.#data = [];
    return event.data === '' ? [] : [event];
  }
}

/** So much of an answer's end is looked at. Four times the longest stretch that is told from a text which only resembles itself. */
const WINDOW_CHARS = 4_000;

/** What comes so often in a row, and is so long together, is no text any more: the longest line of dashes in a table is shorter. */
const LEAST_TIMES = 4;

const LEAST_CHARS = 300;

/** How much has to come before it is looked at again: looking takes the window's length, so this bounds the whole. */
const STEP_CHARS = 200;

/** Watches a text that grows for the same stretch over and over, as models write it that do not find their end. */
class RepetitionWatch {
  #tail = '';
  #chars = 0;
  #unseen = 0;

  /** How much of the whole text stands before it repeats itself, its stretch once included; null where it does not. */
  push(text: string): number | null {
    this.#chars += text.length;
    this.#unseen += text.length;
    this.#tail = `${this.#tail}${text}`.slice(-WINDOW_CHARS);
    if (this.#unseen < STEP_CHARS) return null;
    this.#unseen = 0;
    const end = repeatingTail(this.#tail) ?? repeatingWords(this.#tail);
    return end === null ? null : this.#chars - this.#tail.length + end;
  }
}

/** An answer that comes in parts: give it the pieces of the stream, and take the answer when `done` or at the end. */
class AnswerStream {
  readonly #events = new StreamEvents();
  readonly #onText: (text: string) => void;
  #parts: string[] = [];
  #refusal = '';
  /** What came of the answer's thinking and of the arguments of its first tool call. */
  #reasoning = '';
  #argumentsOfCall = '';
  #finishReason: FinishReason | null = null;
  #usage: Answer['usage'] = null;
  #hasAnswer = false;
  #begun = false;
  readonly #repetition = new RepetitionWatch();
  #wholeChars: number | null = null;
  #done = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  get done(): boolean {
    return this.#done;
  }

  /** The model has said something, were it thinking; servers open their streams before that. */
  get begun(): boolean {
    return this.#begun;
  }

  /** The model says the same over and over: what more comes is no answer. */
  get repeats(): boolean {
    return this.#wholeChars !== null;
  }

  /** All of the text has come; its usage may still. */
  get finished(): boolean {
    return this.#done || this.#finishReason !== null;
  }

  push(piece: Uint8Array): void {
    for (const event of this.#events.push(piece)) this.#take(event);
  }

  /** The whole answer, once the stream is over. Throws where it was cut off. */
  end(): Answer {
    this.#takeLast(this.#events.end());
    if (!this.#hasAnswer) throw malformed('there is no answer in its stream');
    if (this.#wholeChars !== null) {
      const text = this.#parts.join('').slice(0, this.#wholeChars);
      return { text, finishReason: 'length', usage: this.#usage, interrupted: 'repetition' };
    }
    if (!this.finished) throw malformed('its stream ended before the answer did');
    const text = this.#parts.join('') || this.#besideContent();
    if (text === '' && this.#refusal !== '') {
      return { text: this.#refusal, finishReason: 'content-filter', usage: this.#usage };
    }
    return { text, finishReason: this.#finishReason ?? 'other', usage: this.#usage };
  }

  /** The last event may be cut in two, which says no more than that the stream was. */
  #takeLast(events: readonly StreamEvent[]): void {
    const { finished } = this;
    try {
      for (const event of events) this.#take(event);
    } catch (error) {
      if (!finished && !(error instanceof ModelFailure)) throw error;
    }
  }

  #take(event: StreamEvent): void {
    if (this.#done) return;
    if (event.data.trim().startsWith('[DONE]')) {
      this.#done = true;
      return;
    }
    if (event.name === 'error') throw new EndpointComplaintError(complaintOf(null, event.data));
    for (const chunk of chunksIn(event.data)) this.#add(chunk);
  }

  #add(chunk: Record<string, unknown>): void {
    refuseError(chunk);
    // Some count on in every chunk: the last one counts.
    this.#usage = usageIn(chunk) ?? this.#usage;
    const choice = choiceIn(chunk);
    if (choice === null) return;
    const { delta } = choice;
    if (delta !== undefined && delta !== null && !isRecord(delta))
      throw malformed('a part of its stream is no object');
    this.#hasAnswer = true;
    this.#begun ||=
      isSaid(choice['text']) ||
      Object.entries(delta ?? {}).some(([name, value]) => name !== 'role' && isSaid(value));
    const text = this.#finishReason === null ? this.#textOf(choice, delta ?? {}) : '';
    if (text !== '') {
      this.#parts.push(text);
      this.#wholeChars ??= this.#repetition.push(text);
      this.#onText(text);
    }
    this.#finishReason ??= finishReasonIn(choice);
  }

  /** The answer of an endpoint that puts it elsewhere; told at once, as nothing was before. */
  #besideContent(): string {
    const text = answerBeside(this.#finishReason, this.#argumentsOfCall, this.#reasoning);
    if (text !== '') this.#onText(text);
    return text;
  }

  #textOf(choice: Record<string, unknown>, delta: Record<string, unknown>): string {
    if (typeof delta['refusal'] === 'string') this.#refusal += delta['refusal'];
    this.#reasoning += reasoningIn(delta);
    this.#argumentsOfCall += argumentsIn(delta);
    const text = textIn(delta['content']);
    if (text !== '' || this.#parts.length > 0) return text;
    // A server that does not stream may send its one message as an event.
    const { message } = choice;
    return isRecord(message) ? textIn(message['content']) : '';
  }
}

/** How long to wait for a stream's usage after its text is complete. */
const USAGE_PATIENCE_MS = 5_000;

export interface ReadOptions {
  deadline: Deadline;
  inactivityMs: number;
  /** The longest that a stream may take until the model says something. */
  firstByteMs: number;
  onText: (text: string) => void;
}

/**
 * The answer in a response, as a stream or at once, whichever the endpoint chose. The client library's own stream is
 * not used: it ends without an error where it is aborted or cut off, drops an event without a blank line after it, and
 * writes what it cannot parse to the console.
 */
export async function readAnswer(response: Response, options: ReadOptions): Promise<Answer> {
  const body = response.body;
  if (body === null) throw malformed('it has no body');
  if (isEventStream(response)) return readStream(body, options);
  // The types of a body do not say what it gives.
  const pieces: Uint8Array[] = [];
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString('utf8');
  // Some servers stream under another content type.
  if (/^\s*(?:data|event|id|retry)?:/.test(text)) return streamed(bytes, options);
  const answer = answerInBody(text);
  options.onText(answer.text);
  return answer;
}

export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
}

async function readStream(body: ReadableStream<Uint8Array>, options: ReadOptions): Promise<Answer> {
  const { deadline, inactivityMs, firstByteMs } = options;
  const stream = new AnswerStream(options.onText);
  deadline.listen(firstByteMs, 'beginning');
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      stream.push(piece);
      // Leaving the loop ends the request.
      if (stream.done || stream.repeats) break;
      if (!stream.begun) deadline.listen(firstByteMs, 'beginning');
      else deadline.listen(stream.finished ? Math.min(inactivityMs, USAGE_PATIENCE_MS) : inactivityMs);
    }
  } catch (error) {
    // What is paid for and complete is not lost for a connection that ends badly.
    if (!stream.finished || deadline.cancelled) throw error;
  }
  return stream.end();
}

function streamed(bytes: Uint8Array, options: ReadOptions): Answer {
  const stream = new AnswerStream(options.onText);
  stream.push(bytes);
  return stream.end();
}

function answerInBody(body: string): Answer {
  const parsed = parsedJson(body.replace(/^\ufeff/, ''));
  if (parsed === undefined)
    throw malformed(body.trim() === '' ? 'its body is empty' : 'its body is not JSON');
  if (!isRecord(parsed)) throw malformed('its body is no JSON object');
  refuseError(parsed);
  const choice = choiceIn(parsed);
  if (choice === null) throw malformed('there is no choice in its body');
  const finishReason = finishReasonIn(choice) ?? 'other';
  const usage = usageIn(parsed);
  const { message } = choice;
  if (!isRecord(message)) {
    if (typeof choice['text'] !== 'string') throw malformed('there is no message in its body');
    return { text: choice['text'], finishReason, usage };
  }
  const text =
    textIn(message['content']) || answerBeside(finishReason, argumentsIn(message), reasoningIn(message));
  const { refusal } = message;
  // The model itself refused; its reason is the only text there is.
  if (text === '' && typeof refusal === 'string' && refusal !== '') {
    return { text: refusal, finishReason: 'content-filter', usage };
  }
  return { text, finishReason, usage };
}

/** The same of a text whose white space varies from one time to the next, as it does in JSON. */
function repeatingWords(text: string): number | null {
  const places = [...text.matchAll(/\S|\s+/g)].map(({ index }) => index);
  const end = repeatingTail(places.map((place) => text[place]?.replace(/\s/, ' ')).join(''));
  return end === null ? null : (places[end] ?? text.length);
}

/**
 * Where the first stretch ends of the longest end of a text that is one stretch over and over; null where there is none. By the prefix function of Knuth,
 * Morris and Pratt over the reversed text: a prefix of length n with a border of length b has the period n - b.
 */
function repeatingTail(text: string): number | null {
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
    if (chars >= LEAST_CHARS && chars >= LEAST_TIMES * period) firstEnd = text.length - chars + period;
  }
  return firstEnd;
}

function isSaid(value: unknown): boolean {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

/** A stream without blank lines between its events gives several at once. */
function chunksIn(data: string): Record<string, unknown>[] {
  const whole = parsedJson(data);
  const values = whole === undefined ? data.split('\n').map((line) => parsedJson(line)) : [whole];
  return values.map((value) => {
    if (isRecord(value)) return value;
    throw malformed('a part of its stream is no JSON object');
  });
}

interface StreamEvent {
  /** Empty where the stream does not name its events. */
  name: string;
  data: string;
}
