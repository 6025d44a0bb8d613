import type { BibliographyEntry } from '../../../src/cited-text/cited-report';
import {
  matchSources,
  type CitableSource,
  type SourceMatch,
} from '../../../src/cited-text/matching/match-sources';

function entry(parts: Partial<BibliographyEntry>): BibliographyEntry {
  const nothing = { url: null, title: null, author: null, year: null, label: null };
  return { start: 0, end: 0, line: 1, text: '', origin: 'list', ...nothing, ...parts };
}

function match(
  parts: Partial<BibliographyEntry>,
  sources: Partial<CitableSource>[],
): SourceMatch | undefined {
  const given = sources.map((source, at) => ({ id: `s${at + 1}`, url: null, title: null, ...source }));
  return matchSources([entry(parts)], given)[0];
}

const PAGE = 'https://a.example/rice/one';

describe('an entry is found among sources', () => {
  it.each([
    ['by its title among other words', { title: 'Lee, K., Rice' }, 's1'],
    ['not where its address is another', { url: 'https://b.example/comment' }, null],
  ])('%s', (_kind, parts, source) => {
    const text = 'Lee, K., Rice and the people of the dry hills, Journal of Crops 2019';
    const titles = [
      'Rice and the people of the dry hills—results of a trial',
      'Wheat and the people of the dry hills',
    ];
    expect(
      match(
        { text, ...parts },
        titles.map((title) => ({ title, url: `${PAGE}/${title.length}` })),
      )?.source,
    ).toBe(source);
  });

  it('by its address', () => {
    expect(match({ url: PAGE }, [{ url: PAGE }, { url: `${PAGE}/more` }])).toEqual({
      source: 's1',
      how: 'address',
      between: [],
    });
  });

  it.each([
    ['http://a.example/rice/one', 'the scheme'],
    ['https://www.a.example/rice/one', 'www'],
    ['https://a.example/rice/one/', 'a slash at the end'],
    ['https://a.example/rice/one#part-2', 'a fragment'],
    ['https://a.example/rice/one/index.html', 'the name of a start page'],
    ['https://a.example/rice/one?utm_source=mail', 'a tracking parameter'],
    ['https://a.example/rice/%6Fne', 'an encoding that is not needed'],
    ['www.a.example/rice/one', 'no scheme'],
  ])('by its page: %s has %s', (url) => {
    expect(match({ url }, [{ url: 'https://a.example/rice/two' }, { url: PAGE }])).toEqual({
      source: 's2',
      how: 'page',
      between: [],
    });
  });

  it.each([
    [{ url: 'https://doi.org/10.1234/Rice.1' }, 'https://publisher.example/article/10.1234/rice.1/full'],
    [{ text: 'Lee. Rice. doi: 10.1234/rice.1.' }, 'https://doi.org/10.1234%2Frice.1'],
    [{ url: 'https://arxiv.org/html/2409.04481v1' }, 'https://arxiv.org/abs/2409.04481'],
  ])('by its DOI: %j', (parts, url) => {
    expect(match(parts, [{ url: PAGE }, { url }])).toEqual({ source: 's2', how: 'doi', between: [] });
  });

  it('by the start of an address, where only one begins so', () => {
    expect(
      match({ url: 'https://a.example/rice' }, [{ url: PAGE }, { url: 'https://a.example/ricecakes' }]),
    ).toEqual({ source: 's1', how: 'prefix', between: [] });
    expect(match({ url: `${PAGE}/comments` }, [{ url: PAGE }])).toMatchObject({
      source: 's1',
      how: 'prefix',
    });
  });

  it('not by a site alone', () => {
    expect(match({ url: 'https://a.example/' }, [{ url: PAGE }])).toEqual({
      source: null,
      how: null,
      between: [],
    });
  });

  it.each([
    ['Rice and the People of the World', 'Rice and the people of the world - PMC'],
    ['Rice and the people of the world | Crops', 'Rice and the People of the World'],
    ['世界水稻产量与人口增长的关系', '世界水稻产量与人口增长的关系 - 知乎'],
  ])('by its title: %s', (title, other) => {
    expect(match({ title }, [{ title: 'Wheat and the people of the hills' }, { title: other }])).toEqual({
      source: 's2',
      how: 'title',
      between: [],
    });
  });

  it('not by a title with another number', () => {
    const title = 'Outlook for the world rice market in 2024';
    expect(match({ title }, [{ title: title.replace('2024', '2025') }])?.source).toBeNull();
  });

  it('by author and year', () => {
    const sources = [
      { author: 'Kim Lee', publishedAt: '2019-03-01' },
      { author: 'Kim Lee', publishedAt: '2020' },
    ];
    expect(match({ author: 'Lee, K.', year: '2019' }, sources)).toEqual({
      source: 's1',
      how: 'author-year',
      between: [],
    });
  });

  it('not by author and year where the titles are of different works', () => {
    const source = { author: 'Kim Lee', publishedAt: '2019', title: 'Wheat in dry hills' };
    expect(
      match({ author: 'Lee, K.', year: '2019', title: 'A history of rice' }, [source])?.source,
    ).toBeNull();
  });
});

describe('what cannot be told apart', () => {
  it('is not resolved, and says between which sources', () => {
    const sources = [{ url: `${PAGE}?page=1` }, { url: `${PAGE}?page=2` }, { url: 'https://b.example/' }];
    expect(match({ url: PAGE }, sources)).toEqual({ source: null, how: 'prefix', between: ['s1', 's2'] });
  });

  it('below one address is told by the title', () => {
    const sources = [
      { url: `${PAGE}/a`, title: 'Rice in the dry hills' },
      { url: `${PAGE}/b`, title: 'Wheat in the dry hills' },
    ];
    expect(match({ url: PAGE, title: 'Wheat in the dry hills' }, sources)).toEqual({
      source: 's2',
      how: 'title',
      between: [],
    });
  });

  it('of equal titles stays open', () => {
    const title = 'Rice in the dry hills';
    expect(match({ title }, [{ title }, { title }])).toEqual({
      source: null,
      how: 'title',
      between: ['s1', 's2'],
    });
  });

  it('is empty where nothing fits', () => {
    expect(match({ title: 'Rice in the dry hills' }, [])).toEqual({ source: null, how: null, between: [] });
  });
});
