import { readQuestion } from '../../src/reading/question/question';
import { clippedAround, findViewpoints, type Viewpoint } from '../../src/reading/viewpoints';

function viewpoints(question: string, ...texts: string[][]): Viewpoint[] {
  const sources = texts.map((sentences, at) => ({ id: `source-${at + 1}`, title: '', sentences }));
  return findViewpoints(readQuestion(question), sources);
}

describe('the answers that sources give', () => {
  const OPENED = 'When was the Alder bridge opened?';
  const [IN_1931, IN_1928] = ['The Alder bridge was opened in 1931.', 'The Alder bridge was opened in 1928.'];

  it('are told apart, each with the sources that give it', () => {
    const later = 'The Alder bridge was opened in 1931 after long delays.';
    const found = viewpoints(OPENED, [IN_1931, 'It is made of steel.'], [IN_1928], [later]);
    expect(found.map(({ answer, sources }) => ({ answer, sources }))).toEqual([
      { answer: '1931', sources: ['source-1', 'source-3'] },
      { answer: '1928', sources: ['source-2'] },
    ]);
  });

  it('are one where a date is written out in one source and shortened in the other', () => {
    expect(viewpoints(OPENED, ['The Alder bridge was opened on 2 July 1931.'], [IN_1931])).toHaveLength(1);
  });

  it('leave out what speaks of something else', () => {
    const [people, books] = [
      'In Marden live 4,120 people.',
      'The library of Oxley lends 90,000 books a year.',
    ];
    const found = viewpoints('How many people live in Marden?', [people], [books]);
    expect(found.map(({ answer }) => answer)).toEqual(['4,120']);
  });

  it('are none where nothing could answer', () => {
    expect(viewpoints(OPENED, ['The bridge is long.'])).toEqual([]);
    expect(viewpoints(OPENED)).toEqual([]);
  });
});

describe('a text clipped around a stretch', () => {
  it('stays whole where it is short', () => {
    expect(clippedAround('opened in 1931', '1931', 20)).toBe('opened in 1931');
  });

  it('keeps its beginning where the stretch is in it, else what stands around the stretch', () => {
    const text = `In 1931 ${'and so on '.repeat(10)}until 1950 ${'and on '.repeat(10)}`;
    expect(clippedAround(text, '1931', 40)).toBe(text.slice(0, 40).trim());
    const clipped = clippedAround(text, '1950', 40);
    expect(clipped).toContain('1950');
    expect(clipped.length).toBeLessThanOrEqual(40);
  });
});
