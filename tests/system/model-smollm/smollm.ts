import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';

const Files = z.object({ weights: z.string(), runtime: z.string() });
export type SmolLmFiles = z.infer<typeof Files>;

/** Where the model is, or why it cannot be had. Gets it where it is not in the cache yet, and waits for it. */
export function findSmolLm(cacheDir: string): SmolLmFiles | { missing: string } {
  const got = spawnSync(process.execPath, [join(__dirname, 'get-smollm.mjs'), cacheDir], {
    encoding: 'utf8',
  });
  return got.status === 0 ? Files.parse(JSON.parse(got.stdout)) : { missing: got.stderr.trim() };
}

export interface SmolLmQuestion {
  messages: { role: string; content: string }[];
  /** A JSON schema, `json` for any JSON, null for text. */
  format: Record<string, unknown> | 'json' | null;
  /** Null: as much as the context has room for. */
  maxTokens: number | null;
  temperature: number;
}

const Ending = z.union([
  z.object({
    text: z.string(),
    finishReason: z.enum(['stop', 'length']),
    promptTokens: z.int(),
    completionTokens: z.int(),
  }),
  z.object({ tooLong: z.object({ promptTokens: z.int(), contextTokens: z.int() }) }),
  z.object({ badSchema: z.string() }),
  z.object({ failure: z.string() }),
]);
export type SmolLmEnding = z.infer<typeof Ending>;

const Said = z.union([
  z.object({ id: z.int(), piece: z.string() }),
  z.object({ id: z.int(), end: Ending }),
  z.object({ ready: z.literal(true) }),
]);

/** SmolLM2-135M-Instruct in a process of its own. */
export interface SmolLm {
  /** Resolves when the answer is complete; `onPiece` gets it as it comes. */
  ask(question: SmolLmQuestion, onPiece: (piece: string) => void, signal: AbortSignal): Promise<SmolLmEnding>;
  close(): Promise<void>;
}

export async function startSmolLm(files: SmolLmFiles, contextTokens: number): Promise<SmolLm> {
  const parameters = [files.runtime, files.weights, `${contextTokens}`];
  const child = fork(join(__dirname, 'smollm-process.mjs'), parameters, { execArgv: [] });
  const ended = once(child, 'exit');
  const waiting = new Map<number, { onPiece: (piece: string) => void; onEnd: (end: SmolLmEnding) => void }>();
  return new Promise((resolve, reject) => {
    void ended.then(([code]) => {
      reject(new Error(`SmolLM2 did not start: its process ended with ${code}.`));
      for (const { onEnd } of waiting.values()) onEnd({ failure: 'the process ended' });
    });
    let asked = 0;
    const model: SmolLm = {
      ask(question, onPiece, signal) {
        asked += 1;
        const id = asked;
        const stop = (): void => {
          if (child.connected) child.send({ id, stop: true });
        };
        signal.addEventListener('abort', stop, { once: true });
        return new Promise((onEnd) => {
          waiting.set(id, { onPiece, onEnd });
          child.send({ id, ...question });
        });
      },
      async close() {
        child.disconnect();
        await ended;
      },
    };
    child.on('message', (message) => {
      const said = Said.parse(message);
      if ('ready' in said) resolve(model);
      else if ('piece' in said) waiting.get(said.id)?.onPiece(said.piece);
      else {
        waiting.get(said.id)?.onEnd(said.end);
        waiting.delete(said.id);
      }
    });
  });
}
