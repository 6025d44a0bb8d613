import { makeToken } from '../../src/app/access-tokens';
import { loadConfig } from '../../src/app/config';
import type { ColligateClient } from '../../src/client/colligate-client';
import type { Scope, StoredToken } from '../../src/contracts/run';
import { createServer, type ServerOptions } from '../../src/http/server';
import { type App, LIMITS, type ServerParts } from '../../src/http/server-context';
import type { AccessStore } from '../../src/stores/stores';

/** A face with tokens in memory and no Temporal server: the client has what the test gives it. */
export interface FaceWithoutServer {
  app: App;
  access: AccessStore & { kept: readonly StoredToken[] };
  hosts: Set<string>;
  tokenOf(owner: string, scope?: Scope, expiresAt?: string): Promise<string>;
}

export async function openFaceWithoutServer({
  client = {},
  parts = {},
  ...options
}: {
  client?: Partial<ColligateClient>;
  parts?: Partial<ServerParts>;
} & Partial<ServerOptions> = {}): Promise<FaceWithoutServer> {
  const access: FaceWithoutServer['access'] = {
    kept: [],
    tokens: () => Promise.resolve(access.kept),
    change: async (change) => void (access.kept = change(access.kept)),
  };
  const hosts = new Set(['face.example']);
  const app = await createServer(
    {
      client: client as ColligateClient,
      access,
      config: loadConfig({ env: {} }),
      verifier: {} as ServerParts['verifier'],
      now: () => new Date(),
      whyNotReady: () => Promise.resolve([]),
      ...parts,
    },
    {
      hosts,
      origins: new Set(),
      withoutToken: null,
      version: '0',
      maxUploadBytes: 1024 * 1024,
      limits: { ...LIMITS, runs: 100 },
      graceMs: 1_000,
      report: (error) => {
        throw error;
      },
      ...options,
    },
  );
  return {
    app,
    access,
    hosts,
    tokenOf: async (owner, scope = 'run', expiresAt) =>
      (await makeToken(access, { owner, scope, expiresAt: expiresAt ?? null }, new Date())).token,
  };
}
