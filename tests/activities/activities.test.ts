import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@temporalio/activity';
import { z } from 'zod';
import {
  createHeartbeatTracker,
  startHeartbeat,
  toActivityFailure,
} from '../../src/activities/activity-runtime';
import { createLruCache, storeArtifact } from '../../src/activities/artifacts';
import { judgeVersion } from '../../src/activities/judge-and-mend';
import type { ActivityPorts } from '../../src/activities/ports';
import { findMaterial, type FoundMaterial } from '../../src/activities/scheduled-runs';
import { readingSlices } from '../../src/activities/summarise-sources';
import type { JudgedDocument } from '../../src/contracts/judgement';
import type { SourceEntry } from '../../src/contracts/source';
import { createExtractiveEngine } from '../../src/engines/extractive/module';
import { createPages } from '../../src/sources/pages';
import { openLmdbStores } from '../stores/open-lmdb-stores';
import { forAllTests } from '../support/for-all-tests';
import { dimension, judgedDocument, opinion, SETTINGS } from '../support/judged-document';
import { startLoggingServer } from '../support/logging-server';
import { createScriptedEngine } from '../support/scripted-engine';
import { until } from '../support/until';
import { portsOver, signal } from './corpus-under-test';
import { storesUnderTest } from './stores-under-test';

it('does not retry an activity whose output breaks its contract', () => {
  const { error } = z.object({ findings: z.array(z.string()) }).safeParse({ findings: [1] });
  expect(toActivityFailure(error)).toMatchObject({
    type: 'ZodError',
    nonRetryable: true,
    message: expect.stringContaining('findings[0]') as string,
  });
});

describe('slices of reading', () => {
  const entry = (id: number, contentChars: number): SourceEntry => ({
    id: `source-${id}`,
    url: null,
    title: `Source ${id}`,
    contentRef: 'a'.repeat(64),
    contentChars,
    summaryRef: null,
  });

  const chars = (slice: readonly SourceEntry[]): number =>
    slice.reduce((sum, one) => sum + one.contentChars, 0);

  it('hold no more text however many sources the batch has, and all of them in their order', () => {
    const batch = Array.from({ length: 2_500 }, (_, at) => entry(at, 30_000));
    const slices = readingSlices(batch);
    expect(Math.max(...slices.map(chars))).toBeLessThanOrEqual(1_000_000);
    expect(slices.flat()).toEqual(batch);
  });

  it('have a text alone that is longer than that', () => {
    const slices = readingSlices([entry(1, 10), entry(2, 5_000_000), entry(3, 10)]);
    expect(slices.map((slice) => slice.map(({ id }) => id))).toEqual([
      ['source-1'],
      ['source-2'],
      ['source-3'],
    ]);
  });

  it('are none of none', () => {
    expect(readingSlices([])).toEqual([]);
  });
});

describe('heartbeat', () => {
  it('sends heartbeats with the progress until it is stopped', async () => {
    const beats: unknown[] = [];
    const context = {
      info: { heartbeatTimeoutMs: 40 },
      heartbeat: (beat: unknown) => void beats.push(beat),
    } as unknown as Context; // as much of one as it uses
    const pulse = createHeartbeatTracker();
    const stop = startHeartbeat(context, pulse);
    await pulse.during('reading', () =>
      until(
        async () => beats.length,
        (count) => count > 1,
      ),
    );
    stop();
    expect(beats[0]).toMatchObject({ doing: 'reading', done: 0 });
    const told = beats.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(beats).toHaveLength(told);
  });
});

describe('judgeVersion', () => {
  const under = storesUnderTest();

  const RUN = {
    runId: 'run-1',
    question: 'What do supplements do?',
    engine: 'extractive' as const,
    models: null,
    stepVersions: {},
    judge: SETTINGS,
  };

  async function ported(engine?: ActivityPorts['engines']['extractive']): Promise<{
    ports: ActivityPorts;
    stored: (document: JudgedDocument) => Promise<string>;
  }> {
    const ports = portsOver(await under.connect(), under.threads);
    const extractive = engine ?? createExtractiveEngine({ threads: under.threads });
    return {
      ports: { ...ports, engines: { extractive } },
      stored: (document) => storeArtifact(ports.content, RUN.runId, document),
    };
  }

  test('each version gives one event, however often the activity is retried', async () => {
    const engine = createScriptedEngine({
      judge: () => opinion(3, { bias: dimension(2, { places: [{ partId: 'subtopic-1', quote: null }] }) }),
    });
    const { ports, stored } = await ported(engine);
    const judgedRef = await stored(judgedDocument());
    const versions = [
      { version: 1, revised: [] },
      { version: 1, revised: [] },
      { version: 2, revised: ['subtopic-1'] },
    ];
    for (const of of versions) {
      const result = await judgeVersion(ports, { run: RUN, judgedRef, ...of }, signal);
      expect(result).toMatchObject({ overall: 2.9, passed: false, named: ['subtopic-1'] });
    }
    const told = await ports.events.read(RUN.runId);
    expect(told.map(({ type, payload }) => ({ type, payload }))).toEqual([
      {
        type: 'judge',
        payload: expect.objectContaining({ version: 1, overall: 2.9, revised: [] }) as unknown,
      },
      { type: 'judge', payload: expect.objectContaining({ version: 2, revised: ['subtopic-1'] }) as unknown },
    ]);
  });
});

describe('kept values', () => {
  const length = (text: string | null): number | null => text?.length ?? null;

  function put(
    kept: ReturnType<typeof createLruCache<string | null>>,
    name: string,
    text: string | null,
  ): void {
    kept.put(name, Promise.resolve(text), length);
  }

  async function settled(): Promise<void> {
    await new Promise(setImmediate);
  }

  it('are what was put under a name, also while it is being made', async () => {
    const kept = createLruCache<string | null>(100);
    let finish = (_text: string): void => undefined;
    kept.put('a', new Promise<string>((resolve) => (finish = resolve)), length);
    const early = kept.get('a');
    finish('made');
    expect(await early).toBe('made');
    expect(await kept.get('a')).toBe('made');
    expect(kept.get('b')).toBeUndefined();
  });

  it('go where they do not fit, the one that was not used for the longest time first', async () => {
    const kept = createLruCache<string | null>(10);
    put(kept, 'a', '4444');
    put(kept, 'b', '4444');
    await settled();
    void kept.get('a');
    put(kept, 'c', '4444');
    await settled();
    expect(kept.get('b')).toBeUndefined();
    expect([await kept.get('a'), await kept.get('c')]).toEqual(['4444', '4444']);
  });

  it('are the last one alone where that fills the room by itself, until there is another', async () => {
    const kept = createLruCache<string | null>(10);
    put(kept, 'a', '1');
    put(kept, 'large', 'x'.repeat(50));
    await settled();
    expect(kept.get('a')).toBeUndefined();
    expect((await kept.get('large'))?.length).toBe(50);
    put(kept, 'b', '1');
    await settled();
    expect(kept.get('large')).toBeUndefined();
    expect(await kept.get('b')).toBe('1');
  });

  it('are not what failed, nor what has no size', async () => {
    const kept = createLruCache<string | null>(10);
    const failing = Promise.reject(new Error('the disk is gone'));
    kept.put('a', failing, length);
    put(kept, 'b', null);
    await expect(kept.get('a')).rejects.toThrow('the disk is gone');
    await settled();
    expect(kept.get('a')).toBeUndefined();
    expect(kept.get('b')).toBeUndefined();
  });
});

describe('findPages', () => {
  const server = forAllTests(startLoggingServer);

  const kept = forAllTests(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colligate-find-'));
    const stores = await openLmdbStores(folder);
    const close = async (): Promise<void> => {
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { content: stores.content, events: stores.events, derived: stores.derived, close };
  });

  function find(
    paths: string[],
    { runId, signal }: { runId: string; signal?: AbortSignal },
  ): Promise<FoundMaterial> {
    const { content, events, derived } = kept;
    const fetch = { userAgent: 'Colligate/test', allow: [`127.0.0.1:${server.port}`], paceMs: 0 };
    const sources = { finder: 'files', settings: { paths }, skipInvalid: false };
    return findMaterial(
      { content, events, pages: createPages({ fetch, derived }) },
      { schedule: 'weekly', keptAs: 'kept', runId, sources, subtopics: null, last: null },
      signal ?? new AbortController().signal,
    );
  }

  const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;

  it('leaves a page at once when its activity is cancelled, and asks again for that page alone', async () => {
    const stopped = new AbortController();
    let hangs = true;
    server.serve = ({ url = '' }, response) => {
      if (url === '/b' && hangs) {
        // Its own answer never comes; by then the first page has been sent whole.
        response.writeHead(200, { 'content-type': 'text/plain' }).write('the beginning of ');
        setImmediate(() => stopped.abort(new Error('the worker is stopped')));
      } else response.writeHead(200, { 'content-type': 'text/plain' }).end(`What stands at ${url}.`);
    };
    // The first page is fetched, and kept, in an import that ended well for its part.
    const paths = [at('/a'), at('/b')];
    hangs = false;
    await find([at('/a')], { runId: 'run-1' });
    hangs = true;
    await expect(find(paths, { runId: 'run-1', signal: stopped.signal })).rejects.toThrow(
      'the worker is stopped',
    );
    hangs = false;
    const { given } = await find(paths, { runId: 'run-1' });
    expect(given.sourceCount).toBe(2);
    expect(server.requests.map(({ path }) => path)).toEqual(['/a', '/b', '/b']);
    // What its history has of them.
    expect(Object.keys(given).sort()).toEqual(['manifestRef', 'sourceChars', 'sourceCount']);
  });
});
