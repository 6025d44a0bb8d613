import type { BibliographyEntry } from '../../../src/cited-text/cited-report';
import { matchSources, type CitableSource } from '../../../src/cited-text/matching/match-sources';

function entry(parts: Partial<BibliographyEntry>): BibliographyEntry {
  const nothing = { url: null, title: null, author: null, year: null, label: null };
  return { start: 0, end: 0, line: 1, text: '', origin: 'list', ...nothing, ...parts };
}

/** The source that fits and what by, or between which of them it is open. */
function match(parts: Partial<BibliographyEntry>, sources: Partial<CitableSource>[]): string {
  const given = sources.map((source, at) => ({ id: `s${at + 1}`, url: null, title: null, ...source }));
  const [found] = matchSources([entry(parts)], given);
  const between = found?.between.length ? ` between ${found.between.join(', ')}` : '';
  return `${found?.source} by ${found?.how}${between}`;
}

const PAGE = 'https://a.example/rice/one';
const NONE = 'null by null';

describe('an entry is found among sources', () => {
  it.each([
    ['by its title among other words', { title: 'Lee, K., Rice' }, /^s1 /],
    ['not where its address is another', { url: 'https://b.example/comment' }, /^null /],
  ])('%s', (_kind, parts, source) => {
    const text = 'Lee, K., Rice and the people of the dry hills, Journal of Crops 2019';
    const titles = [
      'Rice and the people of the dry hills—results of a trial',
      'Wheat and the people of the dry hills',
    ];
    const sources = titles.map((title) => ({ title, url: `${PAGE}/${title.length}` }));
    expect(match({ text, ...parts }, sources)).toMatch(source);
  });

  it('by its address', () => {
    expect(match({ url: PAGE }, [{ url: PAGE }, { url: `${PAGE}/more` }])).toBe('s1 by address');
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
    expect(match({ url }, [{ url: 'https://a.example/rice/two' }, { url: PAGE }])).toBe('s2 by page');
  });

  it.each([
    [{ url: 'https://doi.org/10.1234/Rice.1' }, 'https://publisher.example/article/10.1234/rice.1/full'],
    [{ text: 'Lee. Rice. doi: 10.1234/rice.1.' }, 'https://doi.org/10.1234%2Frice.1'],
    [{ url: 'https://arxiv.org/html/2409.04481v1' }, 'https://arxiv.org/abs/2409.04481'],
  ])('by its DOI: %j', (parts, url) => {
    expect(match(parts, [{ url: PAGE }, { url }])).toBe('s2 by doi');
  });

  it('by the start of an address, where only one begins so', () => {
    const sources = [{ url: PAGE }, { url: 'https://a.example/ricecakes' }];
    expect(match({ url: 'https://a.example/rice' }, sources)).toBe('s1 by prefix');
    expect(match({ url: `${PAGE}/comments` }, [{ url: PAGE }])).toBe('s1 by prefix');
  });

  it('not by a site alone', () => {
    expect(match({ url: 'https://a.example/' }, [{ url: PAGE }])).toBe(NONE);
  });

  it.each([
    ['Rice and the People of the World', 'Rice and the people of the world - PMC'],
    ['Rice and the people of the world | Crops', 'Rice and the People of the World'],
    ['世界水稻产量与人口增长的关系', '世界水稻产量与人口增长的关系 - 知乎'],
  ])('by its title: %s', (title, other) => {
    const sources = [{ title: 'Wheat and the people of the hills' }, { title: other }];
    expect(match({ title }, sources)).toBe('s2 by title');
  });

  it('not by a title with another number', () => {
    const title = 'Outlook for the world rice market in 2024';
    expect(match({ title }, [{ title: title.replace('2024', '2025') }])).toMatch(/^null /);
  });

  it('by author and year', () => {
    const author = 'Kim Lee';
    const sources = ['2019-03-01', '2020'].map((publishedAt) => ({ author, publishedAt }));
    expect(match({ author: 'Lee, K.', year: '2019' }, sources)).toBe('s1 by author-year');
  });

  it('not by author and year where the titles are of different works', () => {
    const source = { author: 'Kim Lee', publishedAt: '2019', title: 'Wheat in dry hills' };
    const parts = { author: 'Lee, K.', year: '2019', title: 'A history of rice' };
    expect(match(parts, [source])).toMatch(/^null /);
  });
});

describe('what cannot be told apart', () => {
  it('is not resolved, and says between which sources', () => {
    const sources = [{ url: `${PAGE}?page=1` }, { url: `${PAGE}?page=2` }, { url: 'https://b.example/' }];
    expect(match({ url: PAGE }, sources)).toBe('null by prefix between s1, s2');
  });

  it('below one address is told by the title', () => {
    const titles = ['Rice in the dry hills', 'Wheat in the dry hills'];
    const sources = titles.map((title, at) => ({ url: `${PAGE}/${at}`, title }));
    expect(match({ url: PAGE, title: 'Wheat in the dry hills' }, sources)).toBe('s2 by title');
  });

  it('of equal titles stays open', () => {
    const title = 'Rice in the dry hills';
    expect(match({ title }, [{ title }, { title }])).toBe('null by title between s1, s2');
  });

  it('is empty where nothing fits', () => {
    expect(match({ title: 'Rice in the dry hills' }, [])).toBe(NONE);
  });
});
