import type { RunEventBody } from '../../../src/contracts/run/event';
import {
  sectionsUnlikeReport,
  sectionTexts,
  sectionTextsAfter,
  withReportCitations,
} from '../../../src/core/report/streamed-texts';
import { chunk, restarted, runEvent, written } from '../../support/run-events';
import { source } from './report-fixture';

const WHOLE: RunEventBody[] = [
  chunk('a', 0, 'One. '),
  runEvent('warning', { code: 'c', message: 'm' }),
  chunk('b', 0, 'Uno. '),
  chunk('a', 5, 'Two.'),
  chunk('b', 5, 'Due.'),
  written('b', 9),
];

test('texts of sections that are written at the same time are put together each for itself', () => {
  expect(Object.fromEntries(sectionTexts(WHOLE))).toEqual({
    a: { generation: 1, start: 0, text: 'One. Two.', isWritten: false },
    b: { generation: 1, start: 0, text: 'Uno. Due.', isWritten: true },
  });
});

test('a section that is written anew begins with its newest generation, whatever older ones still say', () => {
  const events = [...WHOLE, restarted('b', 2), chunk('b', 0, 'Ein', 2), chunk('b', 9, ' Tre.')];
  expect(sectionTexts(events).get('b')).toEqual({ generation: 2, start: 0, text: 'Ein', isWritten: false });
  const late = [...events, restarted('b', 1), written('b', 9), chunk('b', 3, 's.', 2)];
  expect(sectionTexts(late).get('b')).toEqual({ generation: 2, start: 0, text: 'Eins.', isWritten: false });
});

test('events that are told twice change nothing', () => {
  const twice = WHOLE.flatMap((event) => [event, event]);
  expect(sectionTexts([...twice, ...WHOLE])).toEqual(sectionTexts(WHOLE));
  const texts = sectionTexts(WHOLE);
  for (const event of WHOLE) expect(sectionTextsAfter(texts, event)).toBe(texts);
});

test('pieces that overlap, as two writers of the same words leave them, make the text once', () => {
  const events = [chunk('a', 0, 'One. '), chunk('a', 3, '. Tw'), chunk('a', 5, 'Two.')];
  expect(sectionTexts(events).get('a')?.text).toBe('One. Two.');
});

test('a text that was said to be whole takes no more of its generation', () => {
  const late = [...WHOLE, chunk('b', 9, ' Tre.')];
  expect(sectionTexts(late).get('b')?.text).toBe('Uno. Due.');
  const early = [...WHOLE.slice(0, -1), chunk('b', 9, ' Tre.'), written('b', 9)];
  expect(sectionTexts(early).get('b')).toEqual(sectionTexts(WHOLE).get('b'));
});

test('who comes in the middle has the text from there on, and knows where it begins', () => {
  const texts = sectionTexts(WHOLE.slice(2));
  expect(texts.get('a')).toEqual({ generation: 1, start: 5, text: 'Two.', isWritten: false });
  expect(sectionTexts(WHOLE.slice(4)).get('b')).toMatchObject({ start: 5, text: 'Due.', isWritten: true });
  const newer = [chunk('a', 0, 'One. '), chunk('a', 7, 'Tres.', 3)];
  expect(sectionTexts(newer).get('a')).toMatchObject({ generation: 3, start: 7, text: 'Tres.' });
});

test('an empty section is written when that is said', () => {
  expect(sectionTexts([written('a', 0)]).get('a')).toMatchObject({ text: '', isWritten: true });
});

describe('against the report', () => {
  const citations = ['x', 'y'].map((id, index) => {
    const { contentRef: _content, summaryRef: _summary, ...facts } = source(id);
    return { ...facts, sourceId: id, n: index + 1, timesCited: 1, readInFull: true };
  });
  const report = {
    citationStyle: 'numbered' as const,
    citations,
    sections: [{ id: 'a', title: 'A', markdown: 'Said [2][1]. And [1].', citations: [2, 1] }],
  };
  const text = 'Said [@y; @x]. And [@x].';

  test('marks become the numbers that the report has', () => {
    expect(withReportCitations(text, report)).toBe('Said [2][1]. And [1].');
  });

  test('a section is unlike the report until all of its text is told', () => {
    const tell = (...events: RunEventBody[]): string[] => sectionsUnlikeReport(sectionTexts(events), report);
    expect(tell()).toEqual(['a']);
    expect(tell(chunk('a', 0, text.slice(0, 9)))).toEqual(['a']);
    expect(tell(chunk('a', 9, text.slice(9)))).toEqual(['a']);
    expect(tell(chunk('a', 0, text))).toEqual([]);
    expect(tell(chunk('a', 0, text), restarted('a', 2))).toEqual(['a']);
  });
});
