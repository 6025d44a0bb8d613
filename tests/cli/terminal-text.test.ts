import type { RunEvent } from '../../src/contracts/run/event';
import { createEventView } from '../../src/cli/progress/event-view';
import { safeExcerpt, safeJson } from '../../src/cli/terminal/safe-text';
import { renderTable } from '../../src/cli/terminal/table';

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
  const at = { runId: 'r', number: 1, key: 'k', at: '2025-01-01T00:00:00Z' };
  const ref = 'a'.repeat(64);
  const events: RunEvent[] = [
    {
      ...at,
      type: 'run-started',
      payload: { kind: 'report', question: HOSTILE, engine: 'extractive', sources: 2 },
    },
    {
      ...at,
      type: 'audit',
      payload: {
        section: HOSTILE,
        revision: 0,
        needsRetry: false,
        setAside: 1,
        audit: {
          claims: 1,
          supported: 0,
          inference: 0,
          partial: 0,
          contradicted: 1,
          unsupported: 0,
          unchecked: 0,
        },
      },
    },
    { ...at, type: 'multi-pass-phase', payload: { pass: 1, name: 'overview', message: HOSTILE } },
    {
      ...at,
      type: 'outline-generated',
      payload: { overallTheme: HOSTILE, sections: [{ id: 's', title: HOSTILE, sources: 1 }] },
    },
    {
      ...at,
      type: 'deep-dive-section',
      payload: { sectionId: 's', title: HOSTILE, sourcesUsed: 3, findings: 1 },
    },
    { ...at, type: 'conflict-detected', payload: { topic: HOSTILE, sources: ['a', 'b'] } },
    { ...at, type: 'citation-stats', payload: { total: 9, coverage: 0.5 } },
    {
      ...at,
      type: 'content-chunk',
      payload: { section: 's', generation: 1, offset: 0, text: `${HOSTILE}\n\n${HOSTILE} [@a]` },
    },
    {
      ...at,
      type: 'section-written',
      payload: { section: 's', generation: 1, chars: 2 * HOSTILE.length + 7 },
    },
    { ...at, type: 'section-restarted', payload: { section: 's', generation: 2 } },
    { ...at, type: 'warning', payload: { code: 'c', message: HOSTILE } },
    { ...at, type: 'run-completed', payload: { status: 'completed', reportRef: ref, markdownRef: ref } },
    { ...at, type: 'run-failed', payload: { message: HOSTILE } },
  ];
  const view = createEventView({
    nameOf: (id) => `${id} ${HOSTILE}`,
    emphasise: (text) => text,
    width: 80,
  });
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
