import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPace, type Pace } from '../../../../src/engines/model/paid/pace';
import { createSharedPace, type SharedPaceSettings } from '../../../../src/engines/model/paid/shared-pace';
import { openStores } from '../../../../src/stores/open-stores';
import type { Stores } from '../../../../src/stores/stores';
import { answersJson } from '../../../model-server/behaviours';
import {
  sendJson,
  startModelServer,
  type Behaviour,
  type ModelServer,
} from '../../../model-server/model-server';
import { mostInAnySecond } from './most-in-any-second';
import { until } from '../../../support/until';
import { FALLS_ANSWER } from '../material';
import type { PacedAskerOptions } from './paced-asker';

const ANSWER_MS = 150;
const never = new AbortController().signal;

let dataDir: string;
let stores: Stores;
const children: ChildProcess[] = [];
let server: ModelServer;

/** When calls came, whose they were, and how many were there at once. */
let startedAt: number[];
let whose: string[];
let most: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'colligate-pace-'));
  stores = await openStores({ stores: 'lmdb', dataDir });
  [startedAt, whose, most] = [[], [], 0];
  let open = 0;
  const counted =
    (then: Behaviour): Behaviour =>
    async (request, response) => {
      startedAt.push(performance.now());
      most = Math.max(most, (open += 1));
      await delay(ANSWER_MS);
      open -= 1;
      await then(request, response);
    };
  server = await startModelServer(() => counted(answersJson(FALLS_ANSWER)), {
    embeddings: counted((_request, response) =>
      sendJson(response, 200, { data: [{ index: 0, embedding: [1, 0] }] }),
    ),
  });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await server.close();
  await stores.close();
  await rm(dataDir, { recursive: true });
});

/** Processes that have the stores open and wait for a word to ask everything at once. */
async function askers(
  options: Omit<PacedAskerOptions, 'dataDir' | 'baseUrl' | 'runId' | 'firstRevision'>,
): Promise<{ begin: () => void; ended: Promise<unknown> }> {
  const started = ['one', 'two'].map((runId, index) => {
    const firstRevision = 100 * index;
    const given: PacedAskerOptions = { dataDir, baseUrl: server.baseUrl, runId, firstRevision, ...options };
    return fork(`${__dirname}/paced-asker.ts`, [JSON.stringify(given)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  });
  children.push(...started);
  await Promise.all(started.map((child) => once(child, 'message')));
  return {
    begin: () => started.forEach((child) => child.send('begin')),
    ended: Promise.all(started.map((child) => once(child, 'exit'))),
  };
}

/** A pace as another process has it that shares the stores. */
function paceOf(settings: Partial<SharedPaceSettings>, given: Stores = stores): Pace {
  const shared = createSharedPace({
    limits: given.limits,
    endpoint: 'http://models.example/v1',
    maxSharedCalls: null,
    requestsPerSecond: null,
    ...settings,
  });
  return createPace({ maxConcurrentCalls: 8, shared });
}

test('no second has more calls of two processes than the setting says, embeddings included', async () => {
  const both = await askers({ calls: 11, embeddings: 4, maxSharedCalls: null, requestsPerSecond: 10 });
  both.begin();
  await both.ended;
  expect(startedAt).toHaveLength(30);
  expect(mostInAnySecond(startedAt)).toBeLessThanOrEqual(10);
});

test('two processes never have more calls under way together than the setting says, and all end', async () => {
  const both = await askers({ calls: 12, embeddings: 0, maxSharedCalls: 3, requestsPerSecond: null });
  both.begin();
  await both.ended;
  expect(startedAt).toHaveLength(24);
  expect(most).toBe(3);
});

test('the processes take slots in turns, whoever gave the last one back', async () => {
  const one = paceOf({ maxSharedCalls: 1 });
  const two = paceOf({ maxSharedCalls: 1 });
  const call = (name: string) => async (): Promise<void> => {
    whose.push(name);
    await delay(5);
  };
  await Promise.all(
    Array.from({ length: 16 }, () => [one.run(call('one'), never), two.run(call('two'), never)]).flat(),
  );
  const firstHalf = whose.slice(0, 16);
  expect(firstHalf.filter((name) => name === 'one').length).toBeGreaterThanOrEqual(3);
  expect(firstHalf.filter((name) => name === 'two').length).toBeGreaterThanOrEqual(3);
});

test('a slot is held for as long as the call goes on, and one of a process that died comes back', async () => {
  const slotMs = 400;
  const holding = paceOf({ maxSharedCalls: 1, slotMs });
  let release = (): void => undefined;
  const running = holding.run(() => new Promise<void>((resolve) => (release = resolve)), never);
  let hasBegun = false;
  const waiting = paceOf({ maxSharedCalls: 1, slotMs }).run(async () => void (hasBegun = true), never);
  await delay(3 * slotMs);
  expect(hasBegun).toBe(false);
  release();
  await running;
  await waiting;
  // What a killed process leaves behind: a slot that nobody renews.
  await stores.limits.acquireSlot('http://models.example/v1', 'killed', { slots: 1, ttlMs: slotMs });
  const since = performance.now();
  await paceOf({ maxSharedCalls: 1, slotMs }).run(async () => undefined, never);
  expect(performance.now() - since).toBeGreaterThan(slotMs / 2);
});

test('a wait for a slot or for a turn ends at once where it is cancelled, and the next in line goes on', async () => {
  for (const limit of [{ maxSharedCalls: 1 }, { requestsPerSecond: 0.5 }]) {
    const pace = paceOf({ ...limit, endpoint: JSON.stringify(limit) });
    let release: (() => void) | null = null;
    const running = pace.run(() => new Promise<void>((resolve) => (release = resolve)), never);
    const letGo = await until(
      async () => release,
      (found) => found !== null,
    );
    const cancelling = new AbortController();
    const cancelled = pace.run(() => Promise.resolve('early'), cancelling.signal);
    const next = pace.run(() => Promise.resolve('next'), never);
    cancelling.abort(new Error('no more'));
    await expect(cancelled).rejects.toThrow('no more');
    letGo?.();
    await running;
    await expect(next).resolves.toBe('next');
  }
});

test('where the store of the limits is away, nothing is asked', async () => {
  const other = await openStores({ stores: 'lmdb', dataDir: join(dataDir, 'other') });
  await other.close();
  for (const limit of [{ maxSharedCalls: 1 }, { requestsPerSecond: 5 }]) {
    let asked = 0;
    const call = paceOf(limit, other).run(async () => void (asked += 1), never);
    await expect(call).rejects.toMatchObject({ name: 'StoreClosedError' });
    expect(asked).toBe(0);
  }
});
