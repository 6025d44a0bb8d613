import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  newProjectFolder,
  runCommand,
  spawnCommand,
  type SpawnedCommand,
} from '../../cli/command-line-under-test';
import { createGoodModel } from '../../model-server/good-model';
import {
  type Behaviour,
  type ModelServer,
  type RecordedRequest,
  startModelServer,
} from '../../model-server/model-server';
import { openTestNamespace, type TestNamespace } from '../../support/temporal-server';
import { until } from '../../support/until';

export const NOTES = path.resolve(__dirname, '../../../examples/vitamin-d');
export const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

/** A worker of the command line, with what it said of itself when it was ready. */
export interface ReadyWorker extends Omit<SpawnedCommand, 'stop'> {
  healthUrl: string;
  /** Resolves with what `/readyz` says once it has the status. */
  isReadyAs(status: 200 | 503): Promise<string>;
  /** Tells it to stop, which it does in good order. */
  stop(): Promise<void>;
}

/** A model on loopback and workers of the command line on the stores of one folder. */
export interface WorkersUnderTest {
  folder: string;
  model: ModelServer;
  /** Resolves when it is ready. */
  worker(env?: Record<string, string>, ...args: string[]): Promise<ReadyWorker>;
  /** One that may not become ready. */
  command(args: readonly string[], env?: Record<string, string>): SpawnedCommand;
  /** Resolves with the exit code of `report`, which leaves its files in `reports/<id>`. */
  report(id: string, ...args: string[]): Promise<number | null>;
  markdown(id: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * `answering` may hold or count what is asked, and has the good model answer in the end. The workers are on the server that test files
 * share, or on `given`.
 */
export async function openWorkers(
  answering: (answer: Behaviour, request: RecordedRequest) => Behaviour = (answer) => answer,
  given?: TestNamespace,
): Promise<WorkersUnderTest> {
  const folder = await newProjectFolder();
  const server = given ?? (await openTestNamespace());
  const good = createGoodModel();
  const model = await startModelServer((request) => answering(good.answer(request), request), {
    models: ['good'],
  });
  const started: SpawnedCommand[] = [];
  const env = {
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_NAMESPACE: server.namespace,
    OPENAI_BASE_URL: model.baseUrl,
    COLLIGATE_MODEL_FAST: 'good',
    COLLIGATE_MODEL_STRONG: 'good',
    COLLIGATE_LOG_LEVEL: 'error',
    COLLIGATE_THREADS: '1',
  };
  const command = (args: readonly string[], more: Record<string, string> = {}): SpawnedCommand => {
    const running = spawnCommand(args, { cwd: folder, env: { ...env, ...more } });
    started.push(running);
    return running;
  };
  return {
    folder,
    model,
    command,
    async worker(more = {}, ...args) {
      const running = command(['worker', '--json', ...args], { COLLIGATE_WORKER_HTTP_PORT: '0', ...more });
      let said = '';
      running.child.stdout?.on('data', (text: string) => (said += text));
      await running.said(/^\}$|^\{.*\}$/m);
      const { healthUrl } = JSON.parse(said) as { healthUrl: string }; // the command's document
      return {
        ...running,
        healthUrl,
        async isReadyAs(wanted) {
          const { text } = await until(
            async () => page(`${healthUrl}/readyz`),
            ({ status }) => status === wanted,
          );
          return text;
        },
        async stop() {
          running.child.kill('SIGTERM');
          expect((await running.ended).code).toBe(0);
        },
      };
    },
    async report(id, ...args) {
      const words = ['report', QUESTION, '--sources', NOTES, '--id', id, '--json', ...args];
      return (await runCommand(words, { cwd: folder, env })).code;
    },
    markdown: (id) => readFile(path.join(folder, 'reports', id, 'report.md'), 'utf8'),
    async close() {
      for (const { child } of started) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await model.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The status of a page, and what it says. */
export async function page(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

/** The samples of a metric by their labels as written; `''` where it has none. */
export function samples(metrics: string, name: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of metrics.split('\n')) {
    const [, labels = '', value = ''] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value !== '' && (line.startsWith(`${name}{`) || line.startsWith(`${name} `)))
      found.set(labels, Number(value));
  }
  return found;
}

/** The sum over all labels that have `having` in them. */
export function total(metrics: string, name: string, having = ''): number {
  return [...samples(metrics, name)]
    .filter(([labels]) => labels.includes(having))
    .reduce((sum, [, value]) => sum + value, 0);
}
