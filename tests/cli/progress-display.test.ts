import type { Progress } from '../../src/contracts/run/run';
import { showProgress } from '../../src/cli/progress/progress-display';
import { progressLine } from '../../src/cli/progress/progress-line';

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
    startedAt: '2025-01-01T00:00:00Z',
    updatedAt: '2025-01-01T00:00:00Z',
    ...changes,
  };
}

function recordingTarget(
  isTTY: boolean,
  columns = 80,
): { target: { write(text: string): void; isTTY: boolean; columns: number }; text: () => string } {
  let written = '';
  return { target: { write: (text) => void (written += text), isTTY, columns }, text: () => written };
}

test('a line says pass, message, sections, percent, elapsed time and the section under way', () => {
  expect(progressLine(progress(), 12_900)).toBe(
    'Pass 2/4 · Deep diving into top 50 sources… · sections 3/7 · 41 % · 0:12 · Sleep',
  );
});

test('a brief counts its parts in its message, and names the one under way where its title is known', () => {
  const pass = { number: 2, of: 3, name: 'write' as const, message: 'Writing part 2 of 6…' };
  const section = { index: 1, of: 6, id: 'subtopic-1', title: 'Sleep' };
  const line = (title: string): string =>
    progressLine(progress({ kind: 'brief', pass, section: { ...section, title } }), 0);
  expect(line('Sleep')).toBe('Pass 2/3 · Writing part 2 of 6… · 41 % · 0:00 · Sleep');
  expect(line('')).toBe('Pass 2/3 · Writing part 2 of 6… · 41 % · 0:00');
});

test('a status other than running stands in front', () => {
  expect(progressLine(progress({ status: 'paused', section: null }), 3_723_000)).toMatch(
    /^paused · Pass 2\/4 .* · 1:02:03$/,
  );
});

test('what a source wrote cannot steer the terminal', () => {
  const hostile = progress({
    pass: { ...progress().pass, message: 'Pass 2: a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\ne' },
  });

  expect(progressLine(hostile, 0)).not.toMatch(/[\u0000-\u001f\u0080-\u009f]/);
});

test('elsewhere than on a terminal there is one line for each change, without control sequences', () => {
  const { target, text } = recordingTarget(false);
  const display = showProgress(target, () => 0);
  display.update(progress());
  display.update(progress({ percent: 44 }));
  display.update(progress({ section: { index: 4, of: 7, title: 'Food' } }));
  display.note('Warning: thin');
  display.end();
  display.update(progress({ section: null }));
  expect(text().trimEnd().split('\n')).toEqual([
    'Pass 2/4 · Deep diving into top 50 sources… · sections 3/7 · 41 % · 0:00 · Sleep',
    'Pass 2/4 · Deep diving into top 50 sources… · sections 4/7 · 41 % · 0:00 · Food',
    'Warning: thin',
  ]);
});

test('on a terminal one line is redrawn within its width, and nothing of it is left at the end', () => {
  const { target, text } = recordingTarget(true, 40);
  const display = showProgress(target, () => 0);
  display.update(progress());
  display.update(progress({ percent: 44 }));
  display.end();
  const drawn = text().split('\r\u001b[2K');
  expect(text()).not.toContain('\n');
  expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(40);
  expect(drawn.at(-1)).toBe('');
});
