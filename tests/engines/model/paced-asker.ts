import { createPaces } from '../../../src/engines/model/paid/paces';
import { createOpenAiEmbedder } from '../../../src/engines/openai/openai-embedder';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { openStores } from '../../../src/stores/open-stores';
import type { SharedLimits } from '../../../src/stores/shared-limits';
import { context, engineOn } from './engine-under-test';
import { FALLS_INPUT } from './material';

/** What a test tells this process, as JSON in its only argument. */
export interface PacedAskerOptions {
  dataDir: string;
  baseUrl: string;
  runId: string;
  /** Processes with other numbers ask otherwise, so that each has to ask. */
  firstRevision: number;
  calls: number;
  embeddings: number;
  maxSharedCalls: number | null;
  requestsPerSecond: number | null;
}

/**
 * A worker's process as the endpoint sees it: it asks all at once, and its pace lets the calls go one by one. It says that it is
 * ready, and at last which turns it took, by their names.
 */
async function ask(options: PacedAskerOptions): Promise<void> {
  const { dataDir, baseUrl, runId, firstRevision, calls, embeddings } = options;
  const stores = await openStores({ stores: 'lmdb', dataDir });
  const turns: string[] = [];
  const limits: SharedLimits = {
    ...stores.limits,
    takeTurn(name, perSecond) {
      turns.push(name);
      return stores.limits.takeTurn(name, perSecond);
    },
  };
  const pace = createPaces(limits).at(baseUrl, { maxConcurrentCalls: 20, ...options });
  const engine = engineOn({ baseUrl, cache: stores.responses, pace });
  const embedder = createOpenAiEmbedder({ baseUrl, apiKey: null, model: 'near', timeoutMs: 60_000, pace });
  process.send?.('ready');
  await new Promise<void>((resolve) => process.once('message', () => resolve()));
  const { signal } = new AbortController();
  await Promise.all([
    ...Array.from({ length: calls }, (_, call) =>
      engine.run(extractFindings, FALLS_INPUT, context({ runId, revision: firstRevision + call })),
    ),
    ...Array.from({ length: embeddings }, (_, text) => embedder.embed([`${runId} ${text}`], signal)),
  ]);
  await stores.close();
  await new Promise((sent) => process.send?.(turns, sent));
}

// It is the test that writes the argument.
void ask(JSON.parse(process.argv[2] ?? '') as PacedAskerOptions).finally(() => process.disconnect());
