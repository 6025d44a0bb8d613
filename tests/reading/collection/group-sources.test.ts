import { groupSources } from '../../../src/reading/collection/group-sources';
import { type PhraseSource, sharedPhrases } from '../../../src/reading/collection/shared-phrases';

const ASKED = new Set(['bus', 'chang']);

function source(id: string, title: string, ...sentences: string[]): PhraseSource {
  return { id, title, sentences, answers: sentences };
}

const ABOUT = (phrase: string, count: number, from: number): PhraseSource[] =>
  Array.from({ length: count }, (_, at) =>
    source(
      `${phrase[0]}${from + at}`,
      `On ${phrase} in town ${'ABCDEFGH'[at]}`,
      `There were more ${phrase}.`,
    ),
  );

describe('phrases that sources share', () => {
  it('stand in titles and in what answers, in the form that most write', () => {
    const other = source('x', 'Other', 'No more night buses.');
    const [phrase, ...others] = sharedPhrases([...ABOUT('night buses', 3, 0), other], ASKED, 3);
    expect([phrase?.text, ...(phrase?.sourceIds ?? [])]).toEqual(['night buses', 'n0', 'n1', 'n2', 'x']);
    expect(others).toEqual([]);
  });

  it('are none of words of the question alone, and none of what too few share', () => {
    expect(sharedPhrases(ABOUT('bus changes', 4, 0), ASKED, 3)).toEqual([]);
    expect(sharedPhrases(ABOUT('night buses', 2, 0), ASKED, 3)).toEqual([]);
  });

  it('are the longer one where nearly all have it', () => {
    const phrases = sharedPhrases(ABOUT('quality of life', 4, 0), ASKED, 3).map(({ text }) => text);
    expect(phrases).toEqual(['quality of life']);
  });
});

describe('sources in groups', () => {
  const limits = { most: 8, least: 3 };

  it('stand under the phrases that part them, each once, the rest without one', () => {
    const rest = source('rest', 'Weather', 'It rained.');
    const sources = [...ABOUT('night buses', 4, 0), ...ABOUT('ticket prices', 3, 0), rest];
    expect(groupSources(sources, ASKED, limits)).toEqual([
      { phrase: 'night buses', sourceIds: ['n0', 'n1', 'n2', 'n3'] },
      { phrase: 'ticket prices', sourceIds: ['t0', 't1', 't2'] },
      { phrase: null, sourceIds: ['rest'] },
    ]);
  });

  it('are one group where few share anything, or all share the same', () => {
    const sourceIds = ['rain', 'snow', 'hail', 'wind'];
    const apart = sourceIds.map((word) => source(word, `About ${word}`, `Much ${word} fell.`));
    expect(groupSources(apart, ASKED, limits)).toEqual([{ phrase: null, sourceIds }]);
    expect(groupSources(ABOUT('night buses', 6, 0), ASKED, limits)).toHaveLength(1);
    expect(groupSources([], ASKED, limits)).toEqual([{ phrase: null, sourceIds: [] }]);
  });

  it('are no more than are wanted', () => {
    const kinds = ['night buses', 'ticket prices', 'summer storms', 'tram drivers', 'old bridges'];
    const sources = kinds.flatMap((kind, at) => ABOUT(kind, 4, at * 10));
    const groups = groupSources(sources, ASKED, { most: 4, least: 3 });
    expect(groups).toHaveLength(4);
    expect(groups.flatMap(({ sourceIds }) => sourceIds)).toHaveLength(20);
  });
});
