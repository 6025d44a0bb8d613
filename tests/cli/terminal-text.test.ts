import { createEventView } from '../../src/cli/progress/event-view';
import { safeExcerpt, safeJson } from '../../src/cli/terminal/safe-text';
import { renderTable } from '../../src/cli/terminal/table';
import { chunk, restarted, runEvent, verdictCounts, written } from '../support/run-events';

const HOSTILE =
  'a\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u009b2J\u202egnp\u200b';

test('JSON says the exact value, without a character that a terminal obeys', () => {
  const document = safeJson({ text: HOSTILE });

  expect(document).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
  expect(JSON.parse(document)).toEqual({ text: HOSTILE });
});

test('an excerpt is one line, cut at a word', () => {
  expect(safeExcerpt('one two\nthree four', 12)).toBe('one two…');
  expect(safeExcerpt('one\ntwo', 12)).toBe('one two');
});

test('every event reads as plain lines, whatever sources wrote into it', () => {
  const ref = 'a'.repeat(64);
  const audit = verdictCounts({ claims: 1, contradicted: 1 });
  const events = [
    runEvent('run-started', { kind: 'report', question: HOSTILE, engine: 'extractive', sources: 2 }),
    runEvent('audit', { section: HOSTILE, revision: 0, needsRetry: false, setAside: 1, audit }),
    runEvent('multi-pass-phase', { pass: 1, name: 'overview', message: HOSTILE }),
    runEvent('outline-generated', {
      overallTheme: HOSTILE,
      sections: [{ id: 's', title: HOSTILE, sources: 1 }],
    }),
    runEvent('deep-dive-section', { sectionId: 's', title: HOSTILE, sourcesUsed: 3, findings: 1 }),
    runEvent('conflict-detected', { topic: HOSTILE, sources: ['a', 'b'] }),
    runEvent('citation-stats', { total: 9, coverage: 0.5 }),
    chunk('s', 0, `${HOSTILE}\n\n${HOSTILE} [@a]`),
    written('s', 2 * HOSTILE.length + 7),
    restarted('s', 2),
    runEvent('warning', { code: 'c', message: HOSTILE }),
    runEvent('run-completed', { status: 'completed', reportRef: ref, markdownRef: ref }),
    runEvent('run-failed', { message: HOSTILE }),
  ];
  const nameOf = (id: string): string => `${id} ${HOSTILE}`;
  const view = createEventView({ nameOf, emphasise: (text) => text, width: 80 });
  for (const event of events) {
    const lines = view.lines(event);
    expect(lines.length).toBeGreaterThan(0);

    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
  }
});

test('a table pads its columns and cuts lines at the width', () => {
  expect(renderTable(['ID', 'WHAT'], [['long-id', 'a question that is long']], 20)).toEqual([
    'ID       WHAT',
    'long-id  a question…',
  ]);
});

test('JSON has no character that nobody sees, and says the same', () => {
  const value = { text: 'a\u009b31m\u200bb\u{e0041}\ufe0f\u034f\u202e\u3164\u180b\u2028c' };
  const json = safeJson(value);
  expect(json).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(json)).toEqual(value);
});
