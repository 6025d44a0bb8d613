import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMaterial, type FoundMaterial } from '../../../src/activities/schedule/find-material';
import { createPages } from '../../../src/sources/pages/pages';
import { forAllTests } from '../../support/for-all-tests';
import { startLoggingServer } from '../../support/logging-server';
import { openLmdbStores } from '../../stores/open-lmdb-stores';

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

describe('a schedule that is about pages', () => {
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
