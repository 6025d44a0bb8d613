import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../platform/error-message';
import type { ContentStore } from '../../stores/content-store';
import type { WorkerState } from '../worker/worker-life';
import type { ServerView } from './server-view';

/** No text has it. */
const NO_REF = '0'.repeat(64);
const STORE_MS = 2_000;

/** Why a worker takes no work now, as sentences; empty where it does. */
export async function whyNotReady(
  { queues }: WorkerState,
  ports: { server: ServerView; content: Pick<ContentStore, 'has'>; runsQueue: string },
): Promise<string[]> {
  const stopped = queues.filter(({ state }) => state !== 'RUNNING');
  const [server, store] = await Promise.all([
    whyNotPolling(
      queues.map(({ queue }) => queue),
      ports,
    ),
    whyNoStore(ports.content),
  ]);
  return [...stopped.map(({ queue, state }) => `The worker of ${queue} is ${state}.`), ...server, ...store];
}

async function whyNotPolling(
  queues: readonly string[],
  { server, runsQueue }: { server: ServerView; runsQueue: string },
): Promise<string[]> {
  try {
    const unpolled = await server.unpolled(queues, runsQueue);
    return unpolled.map((queue) => `The server has not heard of this worker at ${queue}.`);
  } catch (error) {
    return [`The Temporal server does not answer: ${errorMessage(error)}`];
  }
}

async function whyNoStore(content: Pick<ContentStore, 'has'>): Promise<string[]> {
  const ended = new AbortController();
  const limit = delay(STORE_MS, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
  try {
    const answer = await Promise.race([content.has(NO_REF), limit]);
    return answer === 'late' ? [`The store has not answered for ${STORE_MS / 1_000} seconds.`] : [];
  } catch (error) {
    return [`The store does not answer: ${errorMessage(error)}`];
  } finally {
    ended.abort();
  }
}
