import { createHash } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { answers, hangs, refuses } from '../../model-server/behaviours';
import { createGoodModel } from '../../model-server/good-model';
import { startModelServer, type Behaviour } from '../../model-server/model-server';
import { randomFrom } from '../../support/random';
import { withInvention } from './faulty-model';

/** What goes wrong with a call, by its short name; the good answer is at hand. */
const FAULTS: Readonly<Record<string, (good: string) => Behaviour>> = {
  429: () => refuses(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '1' }),
  500: () => refuses(500, { message: 'The server had an error' }),
  cut: (good) => answers(good.slice(0, Math.ceil(good.length / 2)), { finishReason: 'length' }),
  fence: (good) => answers(`Here it is:\n\n\`\`\`${isJson(good) ? 'json' : 'markdown'}\n${good}\n\`\`\`\n`),
  think: (good) => answers(`<think>Let me see: {"findings": []} would be too little.</think>\n\n${good}`),
  badcite: (good) => answers(isJson(good) ? withInvention(good) : `${good}\n\nIt cured all of them [S99].\n`),
  badjson: (good) => answers(isJson(good) ? `${good.slice(0, -2)},, "` : good),
  hang: () => hangs(),
  empty: () => answers(''),
};

interface Options {
  /** Null where every call is answered well. */
  fault: string | null;
  /** One call in so many goes wrong. */
  every: number;
  seed: number;
  latencyMs: number;
}

/**
 * A model that misbehaves, as a process of its own, for measurements. Argument: `Options` as JSON. It writes its base URL as
 * a line of JSON, then a line for every call. On standard input `away` makes it unreachable, `back` reachable again, and
 * `tell` asks for its counts, with the times at which the answers had left that were asked for again.
 */
async function main(): Promise<void> {
  // The harness wrote it.
  const { fault, every, seed, latencyMs } = JSON.parse(process.argv[2] ?? '{}') as Options;
  const random = randomFrom(seed);
  const model = createGoodModel();
  const finished = new Map<string, number>();
  const counts = { asked: 0, faults: 0, finished: 0, repeated: 0, repeatedOf: [] as number[] };
  const server = await startModelServer(
    (request) => {
      const key = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
      counts.asked += 1;
      // An answer that had left whole is paid, and need not have been asked for again.
      const finishedAt = finished.get(key);
      if (finishedAt !== undefined) {
        counts.repeated += 1;
        counts.repeatedOf.push(finishedAt);
      }
      const goesWrong = fault !== null && random() < 1 / every;
      if (goesWrong) counts.faults += 1;
      process.stdout.write(`${JSON.stringify({ asked: counts.asked })}\n`);
      const behave =
        (goesWrong ? FAULTS[fault]?.(model.textFor(request)) : undefined) ?? model.answer(request);
      return async (_request, response) => {
        response.once('finish', () => {
          if (response.statusCode !== 200) return;
          counts.finished += 1;
          finished.set(key, Date.now());
        });
        await delay(latencyMs);
        await behave(request, response);
      };
    },
    { models: ['good'] },
  );
  const relay = createRelay(Number(new URL(server.origin).port));
  const port = await relay.open(0);
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}/v1` })}\n`);
  for await (const line of createInterface(process.stdin)) {
    if (line === 'away') relay.close();
    if (line === 'back') await relay.open(port);
    if (line === 'tell') process.stdout.write(`${JSON.stringify(counts)}\n`);
  }
  process.exit(0);
}

/** The way to the model: an endpoint that is away refuses connections, and drops those that it had. */
function createRelay(target: number): { open(port: number): Promise<number>; close(): void } {
  const sockets = new Set<Socket>();
  let listener: Server | null = null;
  return {
    async open(port) {
      const opened = createServer((socket) => {
        const onward = connect(target, '127.0.0.1');
        for (const end of [socket, onward]) {
          sockets.add(end);
          end.on('error', () => undefined);
          end.on('close', () => {
            sockets.delete(end);
            socket.destroy();
            onward.destroy();
          });
        }
        socket.pipe(onward).pipe(socket);
      });
      listener = opened;
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
      // A TCP server's address is an object.
      return (opened.address() as AddressInfo).port;
    },
    close() {
      listener?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function isJson(text: string): boolean {
  return text.startsWith('{');
}

void main();
