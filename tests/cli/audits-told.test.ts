import { createEventView } from '../../src/cli/progress/event-view';
import { tellAudits } from '../../src/cli/progress/tell-audits';
import { RunEventBody, type RunEvent } from '../../src/contracts/run/event';

const AUDITS: RunEventBody[] = [
  {
    type: 'outline-generated',
    payload: { overallTheme: 'Bones', sections: [{ id: 's1', title: 'Bone density', sources: 2 }] },
  },
  {
    type: 'audit',
    payload: {
      section: 's1',
      revision: 0,
      needsRetry: true,
      setAside: 0,
      audit: {
        claims: 12,
        supported: 10,
        inference: 0,
        partial: 0,
        contradicted: 1,
        unsupported: 1,
        unchecked: 0,
      },
    },
  },
  {
    type: 'audit',
    payload: {
      section: 'summary',
      revision: 1,
      needsRetry: false,
      setAside: 1,
      audit: {
        claims: 1,
        supported: 0,
        inference: 0,
        partial: 1,
        contradicted: 0,
        unsupported: 0,
        unchecked: 0,
      },
    },
  },
];

const TOLD = [
  'Audited “1. Bone density”: 12 claims, 10 supported, 1 contradicted, 1 unsupported; another attempt may mend it.',
  'Audited “Executive Summary”: 1 claim, 1 partial; 1 set aside.',
];

const EVENTS = AUDITS.map((body, at): RunEvent => ({
  ...RunEventBody.parse(body),
  runId: 'r',
  number: at + 1,
  key: `${at}`,
  at: '2025-01-01T00:00:00Z',
}));

test('who watches a run is told each audit', () => {
  const view = createEventView({
    nameOf: (id) => id,
    emphasise: (text) => text,
    width: Number.POSITIVE_INFINITY,
  });
  const lines = EVENTS.flatMap((event) => view.lines(event));
  expect(lines.slice(-2)).toEqual(TOLD.map((line) => `  ${line}`));
});

test('a place where a claim is set aside is no source', () => {
  const view = createEventView({
    nameOf: (id) => `<${id}>`,
    emphasise: (text) => text,
    width: Number.POSITIVE_INFINITY,
  });
  const text = 'It is so [@a]. [@aside 0]';
  const at = { runId: 'r', number: 1, key: 'k', at: '2025-01-01T00:00:00Z' };
  const lines = [
    ...view.lines({
      ...at,
      type: 'content-chunk',
      payload: { section: 's', generation: 1, offset: 0, text },
    }),
    ...view.lines({
      ...at,
      type: 'section-written',
      payload: { section: 's', generation: 1, chars: text.length },
    }),
  ];
  expect(lines.join('\n')).toContain('It is so [<a>]. (one sentence was set aside here)');
});

test('who waits for a report is told all of them, when it has closed too', async () => {
  const notes: string[] = [];
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const run = {
    async *events(): AsyncGenerator<RunEvent> {
      yield* EVENTS.slice(0, 2);
      await closed;
      yield* EVENTS.slice(2);
    },
  };
  const end = tellAudits(run, { note: (line) => notes.push(line) });
  close();
  await end('told');
  expect(notes).toEqual(TOLD);
});

test('where events cannot be read, the wait for the report goes on without them', async () => {
  const away = { next: () => Promise.reject(new Error('the log is away')) };
  const run = { events: (): AsyncIterable<RunEvent> => ({ [Symbol.asyncIterator]: () => away }) };
  await expect(tellAudits(run, { note: () => undefined })('at once')).resolves.toBeUndefined();
});
