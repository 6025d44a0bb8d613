import { storeArtifact } from '../../src/activities/artifacts';
import { NO_TRACES } from '../../src/activities/external-ports';
import type { ActivityPorts, RunContext } from '../../src/activities/ports';
import type { ArtifactRef, SourceEntry } from '../../src/contracts/source';
import type { Embedder } from '../../src/engines/engine';
import type { ThreadPool } from '../../src/engines/thread-pool';
import type { Stores } from '../../src/stores/stores';

export const signal = new AbortController().signal;

/** What a step is told of a run that asks a model. */
export const STEP_BRIEF: RunContext = {
  runId: 'run',
  question: 'What do the sources find?',
  engine: 'openai',
  models: null,
  stepVersions: {},
};

/** Real stores and threads, as a worker hands them to activities. */
export function portsOver(
  stores: Stores,
  threads: ThreadPool,
  embedder: Embedder | null = null,
): ActivityPorts {
  const { content, derived, events } = stores;
  const runtime = { colligate: 'test', node: 'test' };
  const nothing = { engines: {}, prompts: null, traces: NO_TRACES };
  return { content, derived, events, threads, embedder, runtime, ...nothing };
}

/** Stores texts and the manifest that lists them, as an import does. */
export async function importTexts(
  { content }: Pick<Stores, 'content'>,
  texts: Readonly<Record<string, string>>,
  runId = 'import',
): Promise<ArtifactRef> {
  const refs = await content.storeBatch(runId, Object.values(texts));
  const sources = Object.entries(texts).map(([id, text], at): SourceEntry => ({
    id,
    url: `https://example.org/${id}`,
    title: `About ${id}`,
    contentRef: refs[at] ?? '',
    contentChars: text.length,
    summaryRef: null,
  }));
  return storeArtifact(content, runId, { sources, warnings: [] });
}
