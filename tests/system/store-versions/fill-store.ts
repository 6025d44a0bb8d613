import type { Stores } from '../../../src/stores/stores';

/** The clock of whoever fills a store: what is written then is the same each time. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export const TEXTS = [
  'a short text',
  'A text that is long enough to be compressed. '.repeat(40),
  'cut 😀'.slice(0, -1),
];
export const RUNS = ['run', 'a run / whose id is not plain'];

/** Something of everything that a store keeps, for two runs that share it. Each version has filled a store so. */
export async function fillStore({ content, derived, events, responses }: Stores): Promise<void> {
  for (const runId of RUNS) {
    await content.storeBatch(runId, TEXTS);
    await derived.put(runId, new Map([['an index', Uint8Array.of(1, 2, 3)]]));
    await responses.put(runId, 'a question', 'an answer', { ttlMs: 3_600_000_000_000 });
    await events.appendOnce(runId, 'first', { type: 'warning', payload: { code: 'test', message: 'é 😀' } });
    await events.appendOnce(runId, 'section', {
      type: 'section-restarted',
      payload: { section: 'one', generation: 2 },
    });
    await events.appendOnce(runId, 'last', { type: 'run-failed', payload: { message: 'the end' } });
  }
}
