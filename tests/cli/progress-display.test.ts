import { reportAudits } from '../../src/cli/follow-run';
import { progressLine, showProgress } from '../../src/cli/progress-display';
import { createEventView, type EventView } from '../../src/cli/watch-run';
import type { RunEvent } from '../../src/contracts/event';
import type { PassName, Progress } from '../../src/contracts/run';
import { runSnapshot } from '../../src/contracts/run-status';
import { chunk, restarted, runEvent, verdictCounts, written } from '../support/run-events';

describe('progress on a terminal', () => {
  const STARTED = '2025-01-01T00:00:00Z';
  const usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

  function progress(changes: Partial<Progress> = {}): Progress {
    return {
      runId: 'r',
      kind: 'report',
      status: 'running',
      pass: { number: 2, of: 4, name: 'deep-dive', message: 'Pass 2: Deep diving into top 50 sources…' },
      section: { index: 3, of: 7, title: 'Sleep' },
      percent: 41.7,
      usage,
      waiting: null,
      parked: null,
      warnings: [],
      startedAt: STARTED,
      updatedAt: '2025-01-01T00:00:00Z',
      ...changes,
    };
  }

  function lineOf(told: Progress, elapsedMs = 0): string {
    return progressLine(runSnapshot(told, null), elapsedMs);
  }

  function recordingTarget(
    isTTY: boolean,
    columns = 80,
  ): { target: { write(text: string): void; isTTY: boolean; columns: number }; text: () => string } {
    let written = '';
    return { target: { write: (text) => void (written += text), isTTY, columns }, text: () => written };
  }

  test('a line says pass, message, sections, calls and cost, elapsed time and the section under way', () => {
    expect(lineOf(progress(), 12_900)).toBe(
      'Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 0:12 · Sleep',
    );
  });

  test('a brief counts its parts in its message, and names the one under way where its title is known', () => {
    const pass = { number: 2, of: 3, name: 'write' as const, message: 'Writing part 2 of 6…' };
    const section = { index: 1, of: 6, id: 'subtopic-1', title: 'Sleep' };
    const line = (title: string): string =>
      lineOf(progress({ kind: 'brief', pass, section: { ...section, title } }), 0);
    expect(line('Sleep')).toBe('Pass 2/3 · Writing part 2 of 6… · 0:00 · Sleep');
    expect(line('')).toBe('Pass 2/3 · Writing part 2 of 6… · 0:00');
  });

  test('a status other than running stands in front', () => {
    expect(lineOf(progress({ status: 'paused', section: null }), 3_723_000)).toMatch(
      /^paused · Pass 2\/4 .* · 1:02:03$/,
    );
  });

  test('what a source wrote cannot steer the terminal', () => {
    const hostile = progress({
      pass: { ...progress().pass, message: 'Pass 2: a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\ne' },
    });

    expect(lineOf(hostile, 0)).not.toMatch(/[\u0000-\u001f\u0080-\u009f]/);
  });

  test('elsewhere than on a terminal there is one line for each change, without control sequences', () => {
    const { target, text } = recordingTarget(false);
    const display = showProgress(target, () => Date.parse(STARTED));
    display.update(progress());
    display.update(progress({ percent: 44 }));
    display.update(progress({ section: { index: 4, of: 7, title: 'Food' } }));
    display.note('Warning: thin');
    display.end();
    display.update(progress({ section: null }));
    expect(text().trimEnd().split('\n')).toEqual([
      'Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 0:00 · Sleep',
      'Pass 2/4 · Deep diving into top 50 sources… · 4 of 7 sections read · 0:00 · Food',
      'Warning: thin',
    ]);
  });

  test('what is paid for stands in a line', () => {
    const spent = { calls: 12, cachedCalls: 3, inputTokens: 40_000, outputTokens: 210, costUsd: 0.12 };
    expect(lineOf(progress({ usage: spent }))).toBe(
      'Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 12 calls (3 from the cache), 40,210 tokens, $0.1200 · 0:00 · Sleep',
    );
  });

  /** What a terminal shows at the end: everything is drawn from the cursor on, and the cursor goes back to where that began. */
  function lastDrawn(text: string): string[] {
    const drawn = text.split('\r\u001b[J').at(-1) ?? '';
    // What steers the terminal is taken out.
    return drawn.replace(/\u001b\[\??\d+[A-Za-z]|\r/g, '').split('\n');
  }

  test('on a terminal the facts are redrawn in place, within its width, and nothing of them is left at the end', () => {
    const { target, text } = recordingTarget(true, 60);
    const display = showProgress(target, () => Date.parse(STARTED));
    display.update(progress());
    const waiting = {
      what: 'the model endpoint',
      reason: `It does not answer: ${'again and '.repeat(20)}again.`,
      since: '2025-01-01T00:00:10.000Z',
      nextTry: '2025-01-01T00:00:40.000Z',
    };
    display.update(progress({ status: 'waiting', waiting }));
    const lines = lastDrawn(text());
    expect(lines).toEqual(
      [
        'Status   waiting, 0:00 since its start',
        'At       Pass 2: Pass 2: Deep diving into top 50 sources… (2…',
        'Sections 3 of 7 read, now “Sleep”',
        'Waiting  for the model endpoint since 2025-01-01 00:00:10 U…',
        'Used     no call to a model',
      ].map(
        (line) =>
          expect.stringMatching(new RegExp(`^${line.slice(0, 50).replace(/[()?.]/g, '.')}`)) as string,
      ),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
    expect(text()).toContain(`\u001b[${lines.length - 1}A`);
    display.end();
    expect(lastDrawn(text())).toEqual(['']);
  });
});

describe('events as lines', () => {
  const NAMES: Record<string, string> = { a: 'Doe 2010', b: 'Roe 2011' };

  function openView(width = Number.POSITIVE_INFINITY): EventView {
    return createEventView({ nameOf: (id) => NAMES[id] ?? id, emphasise: (text) => `*${text}*`, width });
  }

  const phase = (pass: number, name: PassName, message: string): RunEvent =>
    runEvent('multi-pass-phase', { pass, name, message });
  const OUTLINE = runEvent('outline-generated', {
    overallTheme: 'Habits',
    sections: [
      { id: 's1', title: 'Walks', sources: 2 },
      { id: 's2', title: 'Tea', sources: 3 },
    ],
  });
  const PHASE = phase(4, 'report', 'Generating comprehensive report…');

  function openWriting(width?: number): EventView {
    const view = openView(width);
    shown(view, [OUTLINE, PHASE]);
    return view;
  }
  function shown(view: EventView, events: readonly RunEvent[]): string[] {
    return events.flatMap((event) => view.lines(event));
  }

  test('passes have the numbers of the document, sections and conflicts are counted', () => {
    const view = openView();
    shown(view, [OUTLINE]);
    expect(
      shown(view, [
        phase(2, 'deep-dive', 'Deep diving into top 5 sources…'),
        runEvent('deep-dive-section', { sectionId: 's2', title: 'Tea', sourcesUsed: 3, findings: 12 }),
        runEvent('deep-dive-section', { sectionId: 's1', title: 'Walks', sourcesUsed: 1, findings: 1 }),
        phase(3, 'cross-reference', 'Validating findings and checking for conflicts…'),
        runEvent('conflict-detected', { topic: 'tea and attention', sources: ['a', 'b'] }),
        runEvent('conflict-detected', { topic: 'walks and sleep', sources: ['c'] }),
      ]),
    ).toEqual([
      'Pass 2: Deep diving into top 5 sources…',
      '  2. Tea: 12 findings from 3 sources · 1 of 2 sections',
      '  1. Walks: 1 finding from 1 source · 2 of 2 sections',
      'Pass 3: Validating findings and checking for conflicts…',
      '  Conflict 1: tea and attention (2 sources: Doe 2010; Roe 2011)',
      '  Conflict 2: walks and sleep (1 source: c)',
    ]);
  });

  test('sections that are written at the same time are shown one after the other, by whole paragraphs', () => {
    const view = openWriting();
    expect(
      shown(view, [
        chunk('s1', 0, 'Walking \\*helped\\* [@a; @b].\n\nIt al'),
        chunk('s2', 0, '### Green tea\n\nTea did no'),
        chunk('s1', 35, 'so cost nothing.'),
        chunk('s2', 25, 't.\n\n'),
        written('s1', 51),
        chunk('s2', 29, '- one\n- two [@c]'),
        written('s2', 45),
        runEvent('citation-stats', { total: 3, coverage: 0.6 }),
      ]),
    ).toEqual([
      '',
      '  *1. Walks*',
      '     Walking *helped* [Doe 2010; Roe 2011].',
      '',
      '     It also cost nothing.',
      '',
      '     (written, 6 words)',
      '',
      '  *2. Tea*',
      '     *Green tea*',
      '',
      '     Tea did not.',
      '',
      '     - one',
      '     - two [c]',
      '',
      '     (written, 7 words)',
      '',
      '  3 sources cited, 60 % of all',
    ]);
  });

  test('a section that is written anew is announced, and shown from its start', () => {
    const view = openWriting();
    shown(view, [chunk('s1', 0, 'In other words.\n\n')]);
    expect(
      shown(view, [
        restarted('s1', 2),
        chunk('s1', 17, 'Too late.\n\n', 1),
        chunk('s1', 0, 'In its own.', 2),
        written('s1', 11, 2),
      ]),
    ).toEqual([
      '',
      '  *1. Walks* is written anew; what was shown of it no longer holds.',
      '',
      '  *1. Walks*',
      '     In its own.',
      '',
      '     (written, 3 words)',
    ]);
  });

  test('who begins in the middle of a section sees whole paragraphs under its title', () => {
    const view = openView();
    for (const event of [OUTLINE, PHASE, chunk('s1', 0, 'One.\n\nTw')]) {
      view.lines(event);
      view.skip();
    }
    expect(shown(view, [chunk('s1', 8, 'o.\n\nThree')])).toEqual([
      '',
      '  *1. Walks*, continued',
      '     Two.',
    ]);
  });

  test('what a section had when its run ended is shown before the end', () => {
    const view = openWriting();
    shown(view, [chunk('s1', 0, 'Half a para')]);
    expect(shown(view, [runEvent('run-failed', { message: 'no' })])).toEqual([
      '',
      '  *1. Walks*',
      '     Half a para',
      '',
      'Failed: no',
    ]);
    shown(view, [chunk('s2', 0, 'More')]);
    expect(view.end()).toEqual(['', '  *2. Tea*', '     More']);
    expect(view.end()).toEqual([]);
  });

  test('on a terminal paragraphs are broken at words within its width', () => {
    const view = openWriting(40);
    const text = 'Walking for thirty minutes a day improved sleep in most of the forty adults who took part.';
    const lines = shown(view, [chunk('s1', 0, `${text}\n\n`)]).slice(2);
    expect(lines.every((line) => line.startsWith('     ') && line.length <= 40)).toBe(true);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(text);
  });
});

describe('audits', () => {
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
    const end = reportAudits(run, { note: (line) => notes.push(line) });
    close();
    await end('told');
    expect(notes).toEqual(TOLD);
  });

  test('where events cannot be read, the wait for the report goes on without them', async () => {
    const away = { next: () => Promise.reject(new Error('the log is away')) };
    const run = {
      events: (): AsyncIterable<RunEvent> => ({ [Symbol.asyncIterator]: () => away }),
    };
    await expect(reportAudits(run, { note: () => undefined })('at once')).resolves.toBeUndefined();
  });
});
