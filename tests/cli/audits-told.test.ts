import type { RunProgress } from '../../src/client/run-handle';
import { createEventView, type EventView } from '../../src/cli/progress/event-view';
import { tellAudits } from '../../src/cli/progress/tell-audits';
import type { RunEvent } from '../../src/contracts/run/event';
import { chunk, runEvent, verdictCounts, written } from '../support/run-events';

const EVENTS = [
  runEvent('outline-generated', {
    overallTheme: 'Bones',
    sections: [{ id: 's1', title: 'Bone density', sources: 2 }],
  }),
  runEvent('audit', {
    section: 's1',
    revision: 0,
    needsRetry: true,
    setAside: 0,
    audit: verdictCounts({ claims: 12, supported: 10, contradicted: 1, unsupported: 1 }),
  }),
  runEvent('audit', {
    section: 'summary',
    revision: 1,
    needsRetry: false,
    setAside: 1,
    audit: verdictCounts({ claims: 1, partial: 1 }),
  }),
];

const TOLD = [
  'Audited “1. Bone density”: 12 claims, 10 supported, 1 contradicted, 1 unsupported; another attempt may mend it.',
  'Audited “Executive Summary”: 1 claim, 1 partial; 1 set aside.',
];

const openView = (nameOf: (id: string) => string): EventView =>
  createEventView({ nameOf, emphasise: (text) => text, width: Number.POSITIVE_INFINITY });

test('who watches a run is told each audit', () => {
  const view = openView((id) => id);
  const lines = EVENTS.flatMap((event) => view.lines(event));
  expect(lines.slice(-2)).toEqual(TOLD.map((line) => `  ${line}`));
});

test('a place where a claim is set aside is no source', () => {
  const view = openView((id) => `<${id}>`);
  const text = 'It is so [@a]. [@aside 0]';
  const lines = [chunk('s', 0, text), written('s', text.length)].flatMap((event) => view.lines(event));
  expect(lines.join('\n')).toContain('It is so [<a>]. (one sentence was set aside here)');
});

test('who waits for a report is told all of them, when it has closed too', async () => {
  const notes: string[] = [];
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const run = {
    progress: () => Promise.resolve({ language: 'de' } as RunProgress),
    async *events(): AsyncGenerator<RunEvent> {
      yield* EVENTS.slice(0, 2);
      await closed;
      yield* EVENTS.slice(2);
    },
  };
  const end = tellAudits(run, { note: (line) => notes.push(line) }, 'en');
  const german: string[] = [];
  const endGerman = tellAudits(run, { note: (line) => german.push(line) });
  close();
  await end('told');
  expect(notes).toEqual(TOLD);
  // A run's own language, where nobody asks for another one.
  await endGerman('told');
  expect(german).toHaveLength(TOLD.length);
  for (const line of german) expect(line).toMatch(/^Geprüft/);
});

test('where events cannot be read, the wait for the report goes on without them', async () => {
  const away = { next: () => Promise.reject(new Error('the log is away')) };
  const run = {
    progress: () => Promise.reject(new Error('the server is away')),
    events: (): AsyncIterable<RunEvent> => ({ [Symbol.asyncIterator]: () => away }),
  };
  await expect(tellAudits(run, { note: () => undefined })('at once')).resolves.toBeUndefined();
});
