import {
  malformed,
  type Answer,
  choiceIn,
  finishReasonIn,
  refuseError,
  textIn,
  usageIn,
} from './answer-parts';
import { AnswerStream } from './answer-stream';
import type { Deadline } from '../endpoint/endpoint-deadline';
import { isRecord } from '../../../core/values/is-record';
import { parsedJson } from '../../../core/values/parsed-json';

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
  const text = textIn(message['content']);
  const { refusal } = message;
  // The model itself refused; its reason is the only text there is.
  if (text === '' && typeof refusal === 'string' && refusal !== '') {
    return { text: refusal, finishReason: 'content-filter', usage };
  }
  return { text, finishReason, usage };
}
