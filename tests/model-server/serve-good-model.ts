import { setTimeout as delay } from 'node:timers/promises';
import { createGoodModel } from './good-model';
import { startModelServer } from './model-server';

/**
 * The good model as a process of its own, for `npm run bench`. Argument: how many milliseconds it takes to answer. It writes its base
 * URL as a line of JSON, and when it is told to end, when each call began and ended, in milliseconds since 1970.
 */
async function main(): Promise<void> {
  const latencyMs = Number(process.argv[2] ?? '0');
  const model = createGoodModel({ sections: 8 });
  const calls: { startMs: number; endMs: number }[] = [];
  const server = await startModelServer(
    (request) => async (_request, response) => {
      const startMs = Date.now();
      await delay(latencyMs);
      await model.answer(request)(request, response);
      calls.push({ startMs, endMs: Date.now() });
    },
    { models: ['good'] },
  );
  process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl })}\n`);
  process.once('SIGTERM', () => {
    process.stdout.write(`${JSON.stringify({ calls })}\n`);
    void server.close();
  });
}

void main();
