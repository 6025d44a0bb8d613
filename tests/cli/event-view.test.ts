import { createEventView, type EventView } from '../../src/cli/progress/event-view';
import type { PassName } from '../../src/contracts/kinds';
import type { RunEvent } from '../../src/contracts/run/event';
import { chunk, restarted, runEvent, written } from '../support/run-events';

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

/** A view that has come to the writing of the report. */
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

test('a heading waits for what stands under it', () => {
  const view = openWriting();
  expect(shown(view, [chunk('s1', 0, '### Long walks\n\n')])).toEqual([]);
  expect(shown(view, [chunk('s1', 16, 'They help.\n\n### Short walks\n\n')])).toEqual([
    '',
    '  *1. Walks*',
    '     *Long walks*',
    '',
    '     They help.',
  ]);
  expect(shown(view, [chunk('s2', 0, 'Tea.\n\n')])).toEqual([]);
  expect(shown(view, [chunk('s1', 45, 'They do too.'), written('s1', 57)])).toEqual([
    '',
    '     *Short walks*',
    '',
    '     They do too.',
    '',
    '     (written, 9 words)',
    '',
    '  *2. Tea*',
    '     Tea.',
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
  expect(shown(view, [chunk('s1', 8, 'o.\n\nThree')])).toEqual(['', '  *1. Walks*, continued', '     Two.']);
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

test('a warning between paragraphs stands apart from them', () => {
  const view = openWriting();
  expect(
    shown(view, [
      chunk('s1', 0, 'One.\n\n'),
      runEvent('warning', { code: 'c', message: 'careful' }),
      chunk('s1', 6, 'Two.\n\n'),
    ]),
  ).toEqual([
    '',
    '  *1. Walks*',
    '     One.',
    '',
    '  Warning: careful',
    '',
    '  *1. Walks*, continued',
    '     Two.',
  ]);
});

test('on a terminal paragraphs are broken at words within its width', () => {
  const view = openWriting(40);
  const text = 'Walking for thirty minutes a day improved sleep in most of the forty adults who took part.';
  const lines = shown(view, [chunk('s1', 0, `${text}\n\n`)]).slice(2);
  expect(lines.every((line) => line.startsWith('     ') && line.length <= 40)).toBe(true);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(text);
});
