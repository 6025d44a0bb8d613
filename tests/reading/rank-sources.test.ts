import { indexSources } from '../../src/reading/collection';
import { readQuestion } from '../../src/reading/question';
import { indexForRanking, rankSources } from '../../src/reading/rank-sources';

const SOURCES = [
  {
    id: 'tides',
    title: 'Tides',
    sentences: ['The moon pulls at the sea.', 'Harbours keep tables of high water.', 'Ships wait for it.'],
  },
  {
    id: 'harbour',
    title: 'The harbour',
    sentences: [
      'The harbour was dredged in 1904.',
      'Dredging the harbour cost two million crowns.',
      'The harbour is dredged again every ten years.',
    ],
  },
  { id: 'gulls', title: 'Gulls', sentences: ['Gulls nest on roofs.', 'They dislike noise.'] },
];

describe('sources ranked for a question', () => {
  const index = indexForRanking(indexSources(SOURCES));
  const ranked = (question: string): string[] =>
    rankSources(readQuestion(question), index).map(({ source }) => SOURCES[source]?.id ?? '');

  it('begin with the one whose sentences answer it', () => {
    expect(ranked('What did dredging the harbour cost?')).toEqual(['harbour', 'tides']);
  });

  it('leave out those that have no word of it', () => {
    expect(ranked('Where do gulls nest?')).toEqual(['gulls']);
    expect(ranked('Who painted the ceiling?')).toEqual([]);
  });

  it('are none of an empty collection, and none for a question without words', () => {
    expect(rankSources(readQuestion('Why?'), index)).toEqual([]);
    expect(rankSources(readQuestion('Where do gulls nest?'), indexForRanking(indexSources([])))).toEqual([]);
  });

  it('count repeats of a word in a sentence once in its postings', () => {
    const { postings, collection } = indexForRanking(
      indexSources([{ id: 'a', title: '', sentences: ['Rain, rain, rain.', 'No snow but rain.'] }]),
    );
    const rain = collection.vocabulary.get('rain') ?? -1;
    const from = postings.starts[rain] ?? -1;
    const to = postings.starts[rain + 1] ?? -1;
    expect([...postings.sentences.slice(from, to)]).toEqual([0, 1]);
    expect([...postings.counts.slice(from, to)]).toEqual([3, 1]);
  });
});
