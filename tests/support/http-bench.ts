import { makeToken } from '../../src/app/access-tokens';
import type { Environment } from '../../src/app/config-sources';
import { openVerifier } from '../../src/app/local-tasks';
import { createStoreClient, withConfiguredDefaults } from '../../src/app/open-colligate';
import type { Scope } from '../../src/contracts/run';
import { createServer, type ServerOptions } from '../../src/http/server';
import { LIMITS, type ServerParts } from '../../src/http/server-context';
import { openRunBench, type RunBench } from './run-bench';

export interface HttpBench {
  bench: RunBench;
  url: string;
  unforeseen: unknown[];
  tokenOf(owner: string, scope: Scope): Promise<string>;
  /** The process of the face goes away, with all connections, and comes back at the same address. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  ask(path: string, given?: Asked): Promise<Response>;
  close(): Promise<void>;
}

export interface Asked {
  method?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  redirect?: RequestInit['redirect'];
}

export async function openHttpBench(
  given: Partial<ServerOptions> = {},
  env: Environment = {},
  parts: Partial<ServerParts> = {},
): Promise<HttpBench> {
  const bench = await openRunBench({ env });
  const { config, stores } = bench;
  const { taskQueue } = config.temporal;
  const client = createStoreClient(config, { client: bench.client, taskQueue, stores });
  const hosts = new Set<string>();
  const origins = new Set<string>();
  const unforeseen: unknown[] = [];
  const serve = () =>
    createServer(
      {
        client: withConfiguredDefaults(client, config, () => Promise.resolve(true)),
        access: stores.access,
        config,
        verifier: openVerifier(config),
        now: () => new Date(),
        whyNotReady: () => Promise.resolve([]),
        ...parts,
      },
      {
        hosts,
        origins,
        withoutToken: null,
        version: '0',
        maxUploadBytes: config.http.maxUploadBytes,
        limits: { ...LIMITS, runs: config.http.maxRunsPerOwner },
        graceMs: 1_000,
        report: (error) => unforeseen.push(error),
        ...given,
      },
    );
  let app = await serve();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  hosts.add(new URL(url).host);
  origins.add(url);
  return {
    bench,
    url,
    unforeseen,
    async leave() {
      await app.close();
    },
    async comeBack() {
      app = await serve();
      await app.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
    },
    tokenOf: async (owner, scope) =>
      (await makeToken(bench.stores.access, { owner, scope, expiresAt: null }, new Date())).token,
    ask: (path, { token, body, headers = {}, ...asked } = {}) =>
      fetch(`${url}${path}`, {
        ...asked,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    async close() {
      await app.close();
      await bench.close();
    },
  };
}

/** What an answer holds, which the test says. */
export async function jsonOf<Body>(answer: Response | Promise<Response>): Promise<Body> {
  return (await (await answer).json()) as Body;
}
