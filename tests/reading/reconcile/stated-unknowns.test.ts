import { statedUnknowns } from '../../../src/reading/reconcile/stated-unknowns';

const QUESTION = 'Do night buses reduce road accidents in towns?';
const OPENING = 'Buses ran in forty towns. Counts were taken by hand on each evening of the year. '.repeat(3);

function stated(closing: string, { opening = OPENING, title = 'On buses' } = {}): string[] {
  const content = `${opening}\n\n${closing}`;
  const gaps = statedUnknowns({ question: QUESTION, sources: [{ sourceId: 'a', title, content }] });
  for (const { evidence } of gaps)
    expect(content.slice(evidence?.start, evidence?.end)).toBe(evidence?.quote);
  return gaps.map(({ evidence }) => evidence?.quote ?? '');
}

describe('what a source states itself as not known', () => {
  it.each([
    'Whether night buses prevent accidents among young drivers is unknown.',
    'Further studies are needed to show whether night buses reduce accidents on country roads.',
    'The cost of night buses for each accident prevented has not been established.',
    'Future research should compare accidents on weekdays with night buses and taxis.',
  ])('is a gap, word for word: %s', (sentence) => {
    expect(stated(sentence)).toEqual([sentence]);
  });

  it.each([
    ['is about something else', 'Whether trams wear down rails in winter weather is unknown.'],
    ['names nothing', 'More research on night buses and accidents is needed.'],
    ['points back', 'Further studies are needed to confirm these accident results of night buses here.'],
    ['is a result', 'Night buses reduced road accidents among young drivers in towns.'],
    ['asks', 'Is it unknown whether night buses prevent accidents among young drivers?'],
  ])('is none where it %s', (_why, sentence) => {
    expect(stated(sentence)).toEqual([]);
  });

  it('is none where the source only set out from it, or lists it', () => {
    const sentence = 'Whether night buses prevent accidents among young drivers is unknown.';
    expect(stated(OPENING, { opening: sentence })).toEqual([]);
    expect(stated(`## References\n\n${sentence}`)).toEqual([]);
  });

  it('is told once where several say it, and of each source once', () => {
    const one = 'Whether night buses prevent accidents among young drivers is unknown.';
    const other = 'It remains unclear whether night buses prevent accidents of young drivers.';
    const third = 'Future research should compare accidents on weekdays with night buses and taxis.';
    const source = (sourceId: string, said: string) => ({
      sourceId,
      title: 'On buses',
      content: `${OPENING}\n\n${said}`,
    });
    const sources = [source('a', `${one} ${other}`), source('b', other), source('c', third)];
    const gaps = statedUnknowns({ question: QUESTION, sources });
    expect(gaps.map(({ evidence }) => evidence?.sourceId)).toEqual(['a', 'c']);
  });
});
