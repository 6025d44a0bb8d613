import type { Progress } from '../../src/contracts/run/run';
import { showProgress } from '../../src/cli/progress/progress-display';
import { progressLine } from '../../src/cli/progress/progress-line';
import { runSnapshot } from '../../src/core/run/run-snapshot';

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
      (line) => expect.stringMatching(new RegExp(`^${line.slice(0, 50).replace(/[()?.]/g, '.')}`)) as string,
    ),
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
  expect(text()).toContain(`\u001b[${lines.length - 1}A`);
  display.end();
  expect(lastDrawn(text())).toEqual(['']);
});
