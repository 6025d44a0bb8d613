import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const PUBLIC_KEY = 'pk-canary';
export const SECRET_KEY = 'sk-canary';
const BASIC = `Basic ${Buffer.from(`${PUBLIC_KEY}:${SECRET_KEY}`).toString('base64')}`;

export interface KeptPrompt {
  name: string;
  version: number;
  labels: string[];
  prompt: string | unknown[];
}

export interface ReceivedSpan {
  to: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  status: number | undefined;
  startedAt: number;
  endedAt: number;
  attributes: Record<string, unknown>;
}

/** Langfuse and a collector in one, on the loopback interface: what is asked and sent is recorded. */
export interface OutsideReceiver {
  readonly origin: string;
  readonly requests: readonly { method: string; path: string; headers: IncomingMessage['headers'] }[];
  readonly bodies: readonly string[];
  prompts: KeptPrompt[];
  /** What it does instead of answering as it should; null for nothing. */
  behave: ((response: ServerResponse) => void) | null;
  spans(): ReceivedSpan[];
  close(): Promise<void>;
}

export async function startOutsideReceiver(): Promise<OutsideReceiver> {
  const requests: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  const bodies: string[] = [];
  const exports: { to: string; body: string }[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const path = incoming.url ?? '';
      requests.push({ method: incoming.method ?? '', path, headers: incoming.headers });
      const body = Buffer.concat(chunks).toString('utf8');
      if (receiver.behave !== null) {
        receiver.behave(response);
        return;
      }
      if (path.endsWith('/v1/traces')) {
        bodies.push(body);
        exports.push({ to: path, body });
        answer(response, 200, {});
        return;
      }
      if (incoming.headers.authorization !== BASIC) answer(response, 401, { message: 'Invalid credentials' });
      else if (path === '/api/public/projects') answer(response, 200, { data: [{ id: '1', name: 'one' }] });
      else answerPrompt(receiver.prompts, new URL(path, 'http://receiver'), response);
    });
  });
  const receiver: OutsideReceiver = {
    origin: '',
    requests,
    bodies,
    prompts: [],
    behave: null,
    spans: () => exports.flatMap(({ to, body }) => spansIn(to, JSON.parse(body) as WireExport)),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object.
  return Object.assign(receiver, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** The environment of somebody who uses Langfuse there. */
export function langfuseEnvironment({ origin }: Pick<OutsideReceiver, 'origin'>): Record<string, string> {
  return { LANGFUSE_BASE_URL: origin, LANGFUSE_PUBLIC_KEY: PUBLIC_KEY, LANGFUSE_SECRET_KEY: SECRET_KEY };
}

function answerPrompt(kept: readonly KeptPrompt[], url: URL, response: ServerResponse): void {
  const name = decodeURIComponent(url.pathname.replace('/api/public/v2/prompts/', ''));
  const version = url.searchParams.get('version');
  const label = url.searchParams.get('label');
  const found = kept.find(
    (prompt) =>
      prompt.name === name &&
      (version === null ? prompt.labels.includes(label ?? '') : `${prompt.version}` === version),
  );
  if (found === undefined) {
    answer(response, 404, { message: 'Prompt not found', error: 'LangfuseNotFoundError' });
    return;
  }
  const type = typeof found.prompt === 'string' ? 'text' : 'chat';
  answer(response, 200, { ...found, type, config: {}, tags: [] });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

interface WireAttribute {
  key: string;
  value: Record<string, unknown> & { arrayValue?: { values: Record<string, unknown>[] } };
}
interface WireExport {
  resourceSpans: {
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        status?: { code?: number };
        attributes: WireAttribute[];
      }[];
    }[];
  }[];
}

function spansIn(to: string, { resourceSpans }: WireExport): ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      to,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      name: span.name,
      status: span.status?.code,
      startedAt: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
      endedAt: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])),
    }));
}

function plain({ arrayValue, ...value }: WireAttribute['value']): unknown {
  return arrayValue === undefined ? Object.values(value)[0] : arrayValue.values.map((one) => plain(one));
}
