import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed body; null where there was none or it was no JSON object. */
  body: Record<string, unknown> | null;
  /** Resolves when the client has gone or the answer is complete. */
  closed: Promise<void>;
}

export type Behaviour = (request: RecordedRequest, response: ServerResponse) => void | Promise<void>;

export type ScriptFunction = (request: RecordedRequest, index: number) => Behaviour;

/** A queue of behaviours, used up in the order of requests, or a function that is asked for each request. */
export type Script = readonly Behaviour[] | ScriptFunction;

export interface ModelServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly baseUrl: string;
  /** Everything that was asked, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  readonly asked: readonly RecordedRequest[];
  add(...behaviours: Behaviour[]): void;
  /** Refuses connections from now on, and drops those that it has. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Throws where more was asked than the script has behaviours for. */
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** What `GET …/models` answers; without it, 404. */
  models?: readonly string[];
  /** What `POST …/embeddings` does; without it, 404. */
  embeddings?: Behaviour;
  /** Answers what is asked beside the API; false where it has no answer. */
  beside?: (request: RecordedRequest, response: ServerResponse) => boolean;
  /** Where the API is; everything else is 404. */
  prefix?: string;
}

/**
 * An OpenAI-compatible server on the loopback interface that does what a test scripts. The script is for chat
 * completions; the list of models and unknown paths are answered beside it.
 */
export async function startModelServer(
  script: Script = [],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const prefix = options.prefix ?? '/v1';
  const requests: RecordedRequest[] = [];
  const asked: RecordedRequest[] = [];
  const queue = typeof script === 'function' ? null : [...script];
  const failures: string[] = [];

  const behave = async (request: RecordedRequest, response: ServerResponse): Promise<void> => {
    const path = request.path.replace(/\?.*$/s, '');
    if (options.beside?.(request, response) === true) return;
    if (request.method === 'GET' && path === `${prefix}/models` && options.models) {
      sendJson(response, 200, {
        object: 'list',
        data: options.models.map((id) => ({ id, object: 'model' })),
      });
      return;
    }
    if (request.method === 'POST' && path === `${prefix}/embeddings` && options.embeddings) {
      await options.embeddings(request, response);
      return;
    }
    if (request.method !== 'POST' || path !== `${prefix}/chat/completions`) {
      sendJson(response, 404, { error: { message: `Nothing is at ${request.method} ${path}` } });
      return;
    }
    const index = asked.push(request) - 1;
    const behaviour = typeof script === 'function' ? script(request, index) : queue?.shift();
    if (behaviour === undefined) {
      const message = `The model server's script has no behaviour for request ${index + 1}`;
      failures.push(message);
      sendJson(response, 500, { error: { message } });
      return;
    }
    await behaviour(request, response);
  };

  const server = createServer((incoming, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void readBody(incoming)
      .then((body) => {
        const request: RecordedRequest = {
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          headers: incoming.headers,
          body,
          closed,
        };
        requests.push(request);
        return behave(request, response);
      })
      .catch((error: unknown) => {
        // A client that went away in the middle is what some tests are about.
        if (response.destroyed) return;
        failures.push(`A behaviour of the model server failed: ${String(error)}`);
        response.destroy();
      });
  });
  const listen = (on: number): Promise<void> =>
    new Promise((resolve) => server.listen(on, '127.0.0.1', resolve));
  const goAway = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  await listen(0);
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    baseUrl: `${origin}${prefix}`,
    requests,
    asked,
    add: (...behaviours) => {
      if (queue === null) throw new Error('A scripted function takes no further behaviours');
      queue.push(...behaviours);
    },
    goAway,
    comeBack: () => listen(port),
    close: async () => {
      await goAway();
      if (failures.length > 0) throw new Error(failures.join('\n'));
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  // A request's chunks are Buffers where no encoding was set.
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    // An object's values are unknown, whatever they are.
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
