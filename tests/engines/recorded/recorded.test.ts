import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type ModelClient,
  ModelFailure,
  type ModelResponse,
  withoutThinking,
} from '../../../src/engines/model/port';
import { clientOf, NEVER, REQUEST, SCHEMA_REQUEST } from '../openai/asking';

/** Answers of endpoints as they come over the wire; README.md says where each is from, and how files and outcomes read. */

const Answered = z.strictObject({
  /** Without thinking. */
  text: z.string(),
  finishReason: z.string(),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }).nullable().optional(),
  /** The text that the caller hears while it comes. */
  heard: z.string().optional(),
});

const Failed = z.strictObject({
  kind: z.string(),
  retryable: z.boolean(),
  status: z.int().optional(),
  retryAfterMs: z.int().optional(),
  waitsAtLeastMs: z.int().optional(),
  contextWindow: z.int().optional(),
  /** Part of the message. */
  message: z.string().optional(),
  /** The text that came before the failure. */
  interrupted: z.string().optional(),
});

const Listed = z.strictObject({ models: z.array(z.string()) });

const Case = z.strictObject({
  file: z.string(),
  /** How often the same is asked, of one client. Default 1. */
  times: z.int().optional(),
  maxTokens: z.int().optional(),
  /** Absent for an answer in Markdown. */
  rung: z.enum(['json-schema', 'json-object', 'prompt-only']).optional(),
  /** The list of models is asked for, and no answer. */
  lists: z.boolean().optional(),
  /** Parameters of each request that is made; null: the request does not have it. */
  sent: z.array(z.record(z.string(), z.unknown())).optional(),
  wanted: z.union([Answered, Failed, Listed]),
});
type Case = z.infer<typeof Case>;

const providers = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(providers)('%s', (provider) => {
  const folder = join(__dirname, provider);
  const cases = z.array(Case).parse(JSON.parse(readFileSync(join(folder, 'outcomes.json'), 'utf8')));

  it.each(cases)('$file', async (one) => {
    const { about, responses } = readFixture(join(folder, one.file));
    expect(about.some((line) => /^(?:Recorded here|Follows) /.test(line))).toBe(true);
    await withResponses(responses, async (baseUrl, requests) => {
      const client = clientOf({ baseUrl });
      const { wanted } = one;
      if ('models' in wanted) {
        expect(await client.listModels(NEVER)).toEqual(wanted.models);
        return;
      }
      for (let time = 0; time < (one.times ?? 1); time += 1) {
        if ('kind' in wanted) expectFailure(await failureOf(client, one), wanted);
        else expectAnswer(await ask(client, one), wanted);
      }
      if (one.sent !== undefined) expect(requests.map(pickedFrom(one.sent))).toEqual(one.sent);
    });
  });

  it('has an outcome for every fixture', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.http'));
    expect(cases.map(({ file }) => file).sort()).toEqual(files.sort());
  });
});

interface Fixture {
  /** The comment lines at the head. */
  about: string[];
  responses: { status: number; headers: [string, string][]; body: string }[];
}

function readFixture(path: string): Fixture {
  const lines = readFileSync(path, 'utf8').split('\n');
  const first = lines.findIndex((line) => !line.startsWith('# '));
  const responses = lines
    .slice(first)
    .join('\n')
    .split('\n###\n')
    .map((response) => {
      const end = response.indexOf('\n\n');
      const [statusLine = '', ...headers] = response.slice(0, end).split('\n');
      return {
        status: Number(statusLine.split(' ')[1]),
        headers: headers.map((header): [string, string] => {
          const colon = header.indexOf(':');
          return [header.slice(0, colon), header.slice(colon + 1).trim()];
        }),
        body: response.slice(end + 2),
      };
    });
  return { about: lines.slice(0, first).map((line) => line.slice(2)), responses };
}

type Body = Record<string, unknown>;

/** Serves the responses one after another, and the last one again where more are asked for. Fails where fewer are. */
async function withResponses(
  responses: Fixture['responses'],
  use: (baseUrl: string, requests: readonly Body[]) => Promise<void>,
): Promise<void> {
  const requests: Body[] = [];
  let served = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (body !== null) requests.push(body);
      const next = responses[Math.min(served, responses.length - 1)];
      served += 1;
      response.sendDate = false;
      response.writeHead(next?.status ?? 500, Object.fromEntries(next?.headers ?? [])).end(next?.body);
    });
  });
  try {
    await use(`http://127.0.0.1:${await listening(server)}/v1`, requests);
    expect(served).toBeGreaterThanOrEqual(responses.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function bodyOf(request: IncomingMessage): Promise<Body | null> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text === '' ? null : (JSON.parse(text) as Body);
}

async function ask(client: ModelClient, one: Case): Promise<ModelResponse & { heard: string }> {
  let heard = '';
  const request = { ...(one.rung === undefined ? REQUEST : SCHEMA_REQUEST) };
  const response = await client.ask(
    { ...request, maxOutputTokens: one.maxTokens ?? request.maxOutputTokens },
    one.rung ?? null,
    { signal: NEVER, onText: (text) => void (heard += text) },
  );
  return { ...response, heard };
}

async function failureOf(client: ModelClient, one: Case): Promise<ModelFailure> {
  try {
    const { text } = await ask(client, one);
    throw new Error(`The call did not fail: ${text}`);
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

function expectAnswer(response: ModelResponse & { heard: string }, wanted: z.infer<typeof Answered>): void {
  const { text, finishReason, usage, heard } = response;
  const found = { text: withoutThinking(text), finishReason, usage, heard };
  expect(found).toMatchObject(wanted);
}

function expectFailure(failure: ModelFailure, wanted: z.infer<typeof Failed>): void {
  const { message = '', waitsAtLeastMs = 0, interrupted, ...exact } = wanted;
  expect(failure).toMatchObject(exact);
  expect(failure.message).toContain(message);
  expect(failure.retryAfterMs ?? 0).toBeGreaterThanOrEqual(waitsAtLeastMs);
  if (interrupted !== undefined) expect(failure.interrupted).toMatchObject({ text: interrupted });
}

/** The parameters of a request that its outcome speaks of, null where it does not have them. */
function pickedFrom(sent: readonly Body[]): (request: Body, index: number) => Body {
  return (request, index) =>
    Object.fromEntries(Object.keys(sent[index] ?? {}).map((name) => [name, request[name] ?? null]));
}
