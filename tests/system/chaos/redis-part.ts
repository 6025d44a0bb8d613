import { startRedisServer } from '../../support/services/redis-server';

/** A Redis of its own that loses nothing it acknowledged, and what can be done to it. */
export interface RedisPart {
  url: string;
  kill(): Promise<void>;
  /** Ends it in good order. */
  shutDown(): Promise<void>;
  /** Starts it again on the same files and port; resolves when it answers. */
  start(): Promise<void>;
  /** Takes no writes until `takeWrites`, or until it has ended; who writes waits. */
  holdWrites(): Promise<void>;
  takeWrites(): Promise<void>;
  /** There is no room for anything more, until `makeRoom`. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than anything is held. */
const HELD_MS = 600_000;

export async function startRedisPart(): Promise<RedisPart> {
  const server = await startRedisServer(['--maxmemory-policy', 'noeviction']);
  return {
    url: server.url,
    start: () => server.restart(),
    kill: () => server.kill(),
    async shutDown() {
      // It answers by going away.
      await server.command('SHUTDOWN').catch(() => undefined);
    },
    async holdWrites() {
      await server.command('CLIENT', 'PAUSE', String(HELD_MS), 'WRITE');
    },
    async takeWrites() {
      await server.command('CLIENT', 'UNPAUSE');
    },
    async fill() {
      const memory = String(await server.command('INFO', 'memory'));
      const used = Number(/^used_memory:(\d+)/m.exec(memory)?.[1] ?? '1');
      // A little less: what clients have sent and not been answered yet counts as well, and comes and goes.
      await server.configure('maxmemory', String(Math.ceil(used * 0.9)));
    },
    makeRoom: () => server.configure('maxmemory', '0'),
    close: () => server.stop(),
  };
}
