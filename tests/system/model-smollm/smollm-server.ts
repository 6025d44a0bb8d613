import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Script, sendJson } from '../../model-server/model-server';
import type { SmolLm, SmolLmEnding } from './smollm';

const Body = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
  temperature: z.number().optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
      }),
    ])
    .optional(),
});
type Body = z.infer<typeof Body>;

/** What a server with SmolLM2 behind it does, with the errors that llama.cpp's own server has; it has one model, whatever it is called. */
export function answersBySmolLm(model: SmolLm): Script {
  return () => async (request, response) => {
    const body = Body.safeParse(request.body);
    if (!body.success) {
      refuse(response, 400, 'invalid_request_error', z.prettifyError(body.error));
      return;
    }
    const gone = new AbortController();
    void request.closed.then(() => gone.abort());
    await answer(model, body.data, response, gone.signal);
  };
}

async function answer(
  model: SmolLm,
  body: Body,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const send = (choice: Record<string, unknown>, more: Record<string, unknown> = {}): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(eventOf({ choices: [{ index: 0, ...choice }], ...more }));
  };
  const onPiece = (piece: string): void => {
    if (body.stream === true) send({ delta: { content: piece }, finish_reason: null });
  };
  const ending = await model.ask(
    {
      messages: body.messages,
      format: formatOf(body),
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
      temperature: body.temperature ?? 0.8,
    },
    onPiece,
    signal,
  );
  if (!('text' in ending)) {
    complain(response, ending);
    return;
  }
  const usage = { prompt_tokens: ending.promptTokens, completion_tokens: ending.completionTokens };
  if (body.stream !== true) {
    const message = { role: 'assistant', content: ending.text };
    sendJson(response, 200, { choices: [{ index: 0, message, finish_reason: ending.finishReason }], usage });
    return;
  }
  send({ delta: {}, finish_reason: ending.finishReason });
  if (body.stream_options?.include_usage === true) response.write(eventOf({ choices: [], usage }));
  response.end('data: [DONE]\n\n');
}

function formatOf({ response_format: format }: Body): Record<string, unknown> | 'json' | null {
  if (format === undefined || format.type === 'text') return null;
  return format.type === 'json_object' ? 'json' : format.json_schema.schema;
}

function complain(response: ServerResponse, ending: Exclude<SmolLmEnding, { text: string }>): void {
  if ('tooLong' in ending) {
    const { promptTokens, contextTokens } = ending.tooLong;
    const message = `request (${promptTokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
    refuse(response, 400, 'exceed_context_size_error', message, {
      n_prompt_tokens: promptTokens,
      n_ctx: contextTokens,
    });
  } else if ('badSchema' in ending)
    refuse(response, 400, 'invalid_request_error', `failed to parse grammar: ${ending.badSchema}`);
  else refuse(response, 500, 'server_error', ending.failure);
}

/** An answer that has begun can only be torn. */
function refuse(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  more: Record<string, unknown> = {},
): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, { error: { code: status, message, type, ...more } });
}

function eventOf(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
