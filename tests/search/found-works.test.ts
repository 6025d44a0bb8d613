import { foundWorks } from '../../src/search/found-works';
import type { SearchHit } from '../../src/search/search-provider';

function hit(given: Partial<SearchHit>): SearchHit {
  return {
    url: null,
    title: 'Walking and sleep in older adults',
    text: null,
    authors: ['Ada Ng'],
    published: null,
    venue: null,
    doi: null,
    arxivId: null,
    pmid: null,
    openUrl: null,
    license: null,
    isRetracted: false,
    ...given,
  };
}

function worksOf(...hits: Partial<SearchHit>[]): ReturnType<typeof foundWorks> {
  return foundWorks(hits.map((one, at) => ({ index: `index ${at + 1}`, hits: [hit(one)] })));
}

test.each([
  ['one DOI', { doi: '10.1000/walk' }, { doi: '10.1000/walk', url: 'https://journal.example/walk' }],
  ['a DOI and the address of it', { doi: '10.1000/walk' }, { url: 'https://doi.org/10.1000/WALK' }],
  ['one arXiv id', { arxivId: '2101.00001' }, { url: 'https://arxiv.org/pdf/2101.00001v3' }],
  [
    'an arXiv id and the DOI that arXiv gave it',
    { arxivId: '2101.00001' },
    { doi: '10.48550/arxiv.2101.00001' },
  ],
  ['one PubMed id', { pmid: '123' }, { pmid: '123', doi: '10.1000/walk' }],
  ['one address', { url: 'https://www.example.org/a/?utm_source=x' }, { url: 'http://example.org/a' }],
])('%s is one work, with what both indexes know', (_what, one, other) => {
  const [work, ...others] = worksOf(
    { ...one, text: 'Short.' },
    { ...other, text: 'A longer text of it.', isRetracted: true, venue: 'Journal of Walks' },
  );
  expect(others).toEqual([]);
  expect(work).toMatchObject({
    indexes: ['index 1', 'index 2'],
    text: 'A longer text of it.',
    isRetracted: true,
    venue: 'Journal of Walks',
    versionOf: null,
  });
});

test('a preprint and its article are two works, told to be versions of one', () => {
  const works = worksOf(
    { doi: '10.1000/walk' },
    { arxivId: '2101.00001' },
    { doi: '10.1000/other', title: 'Something else of four words' },
  );
  expect(works.map(({ versionOf }) => versionOf)).toEqual([null, 'doi:10.1000/walk', null]);
});

test('two DOIs are two works, though an index gives both one address', () => {
  const url = 'https://journal.example/issue';
  const works = worksOf({ doi: '10.1000/a', url, title: 'A' }, { doi: '10.1000/b', url, title: 'B' });
  expect(works.map(({ doi }) => doi)).toEqual(['10.1000/a', '10.1000/b']);
});

test('what anybody may read is read first, and no address twice', () => {
  const [work] = worksOf(
    { doi: '10.1000/a', url: 'https://paywall.example/a' },
    { doi: '10.1000/a', url: 'https://paywall.example/a/', openUrl: 'https://repository.example/a.pdf' },
  );
  expect(work?.addresses).toEqual(['https://repository.example/a.pdf', 'https://paywall.example/a']);
});

test('what has neither an address nor an id cannot be found again, and is none', () => {
  expect(worksOf({ title: 'A title alone' })).toEqual([]);
});
