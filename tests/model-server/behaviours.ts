import type { ServerResponse } from 'node:http';
import { type Behaviour, type RecordedRequest, sendJson } from './model-server';

export interface AnswerParts {
  finishReason?: string | null;
  /** Null: the server sends no usage. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Beside the content, as reasoning models send it. */
  reasoning?: string;
  /** How a stream is cut into deltas; otherwise at every seventh character. */
  pieces?: readonly string[];
  /** Awaited when half of a stream has been sent. */
  halfway?: () => Promise<void>;
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7 };

/** A good answer: a stream where one is asked for, with usage where the request includes it. */
export function answers(text: string, parts: AnswerParts = {}): Behaviour {
  return (request, response) => {
    if (request.body?.['stream'] !== true) {
      sendJson(response, 200, completion(text, parts));
      return;
    }
    const events = [...streamOf(request, text, parts), '[DONE]'];
    if (parts.halfway === undefined) {
      sendEvents(response, events);
      return;
    }
    const half = Math.ceil(events.length / 2);
    openStream(response);
    for (const event of events.slice(0, half)) response.write(eventOf(event));
    return parts.halfway().then(() => {
      for (const event of events.slice(half)) response.write(eventOf(event));
      response.end();
    });
  };
}

export function answersJson(value: unknown, parts: AnswerParts = {}): Behaviour {
  return answers(JSON.stringify(value), parts);
}

export function answersEach(...values: unknown[]): Behaviour[] {
  return values.map((value) => answersJson(value));
}

/** An error as OpenAI's API has it; `error` is merged into the error object. */
export function refuses(
  status: number,
  error: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Behaviour {
  return (_request, response) => sendJson(response, status, { error: { message: 'no', ...error } }, headers);
}

export function sends(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Behaviour {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

export function sendsJson(body: unknown, status = 200): Behaviour {
  return (_request, response) => sendJson(response, status, body);
}

/** An event stream of the given data, each event JSON unless it is text already. */
export function streams(events: readonly unknown[]): Behaviour {
  return (_request, response) => sendEvents(response, events);
}

/** The events, and then silence with the connection held open. */
export function goesSilent(events: readonly unknown[] = []): Behaviour {
  return (_request, response) => {
    openStream(response);
    for (const event of events) response.write(eventOf(event));
  };
}

/** The events, and then the connection is torn. */
export function tears(events: readonly unknown[] = []): Behaviour {
  return async (_request, response) => {
    openStream(response);
    for (const event of events) await written(response, eventOf(event));
    response.destroy();
  };
}

/** A model that does not find its end: the text, and then the stretch for as long as anyone listens. */
export function repeats(text: string, stretch: string): Behaviour {
  return async (request, response) => {
    openStream(response);
    let gone = false;
    void request.closed.then(() => (gone = true));
    await written(response, eventOf(delta(text)));
    while (!gone) await written(response, eventOf(delta(stretch))).catch(() => undefined);
  };
}

export function hangs(): Behaviour {
  return () => undefined;
}

export function dropsConnection(): Behaviour {
  return (_request, response) => {
    response.destroy();
  };
}

export function delta(content: unknown, finishReason: string | null = null): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
  };
}

export function completion(text: string, parts: AnswerParts = {}): Record<string, unknown> {
  const usage = parts.usage === undefined ? USAGE : parts.usage;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(parts.reasoning === undefined ? {} : { reasoning_content: parts.reasoning }),
        },
        finish_reason: parts.finishReason === undefined ? 'stop' : parts.finishReason,
      },
    ],
    ...(usage ? { usage } : {}),
  };
}

function streamOf(request: RecordedRequest, text: string, parts: AnswerParts): unknown[] {
  const pieces = parts.pieces ?? text.match(/[^]{1,7}/g) ?? [];
  const usage = parts.usage === undefined ? USAGE : parts.usage;
  const options = request.body?.['stream_options'];
  const includesUsage =
    typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage;
  return [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    ...(parts.reasoning === undefined
      ? []
      : [{ choices: [{ index: 0, delta: { reasoning_content: parts.reasoning } }] }]),
    ...pieces.map((piece) => delta(piece)),
    {
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: parts.finishReason === undefined ? 'stop' : parts.finishReason,
        },
      ],
    },
    ...(usage && includesUsage === true ? [{ choices: [], usage }] : []),
  ];
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  openStream(response);
  for (const event of events) response.write(eventOf(event));
  response.end();
}

function eventOf(event: unknown): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}

/** Resolves when the piece has left, so that the next is a piece of its own. */
function written(response: ServerResponse, piece: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : setImmediate(resolve)));
  });
}
