import { listSourcesRead } from '../../src/report/sources-read';

describe('listSourcesRead', () => {
  const entry = (
    id: string,
    about: object = {},
  ): Parameters<typeof listSourcesRead>[0]['sources'][number] => ({
    id,
    title: `On ${id}`,
    url: null,
    ...about,
  });

  it('says of each source whether it was read and cited, and what is missing in it', () => {
    const { sources, more } = listSourcesRead({
      sources: [
        entry('a', { file: 'a.pdf', pagesWithoutText: 2 }),
        entry('b', { url: 'https://example.org/b' }),
        entry('c', { summaryOnly: true }),
      ],
      warnings: [],
      cited: new Set(['a']),
    });
    expect(sources).toEqual([
      { sourceId: 'a', status: 'read', title: 'On a', file: 'a.pdf', pagesWithoutText: 2, cited: true },
      { sourceId: 'b', status: 'read', title: 'On b', url: 'https://example.org/b', cited: false },
      { sourceId: 'c', status: 'summary-only', title: 'On c', cited: false },
    ]);
    expect(more).toBe(0);
  });

  it('names the sources that others repeat', () => {
    const { sources } = listSourcesRead({
      sources: [entry('a', { file: 'a.pdf' }), entry('b'), entry('c')],
      warnings: [{ code: 'source-repeated', message: 'copy.pdf: the same as a.pdf, and counts once' }],
      merged: [{ id: 'b', into: 'a' }],
      nearDuplicates: new Map([['c', 'a']]),
      cited: new Set(),
    });
    expect(
      sources.map(({ status, file, sameAs, nearlySameAs }) => [status, file, sameAs, nearlySameAs]),
    ).toEqual([
      ['read', 'a.pdf', undefined, undefined],
      ['repeated', undefined, 'a.pdf', undefined],
      ['read', undefined, undefined, 'a.pdf'],
      ['repeated', 'copy.pdf', 'a.pdf', undefined],
    ]);
  });

  it('names what was skipped, with the reason', () => {
    const { sources } = listSourcesRead({
      sources: [],
      warnings: [
        { code: 'source-skipped', message: 'notes/scan.pdf: its 3 pages have no text: only images' },
        { code: 'source-skipped', message: '12 more records were skipped' },
        { code: 'source-metadata', message: 'a.pdf: 1 of its 3 pages has no text' },
      ],
      cited: new Set(),
    });
    expect(sources).toEqual([
      {
        status: 'skipped',
        file: 'notes/scan.pdf',
        reason: 'its 3 pages have no text: only images',
        cited: false,
      },
      { status: 'skipped', reason: '12 more records were skipped', cited: false },
    ]);
  });

  it('lists at most 5,000 and counts the others', () => {
    const many = Array.from({ length: 5_003 }, (_, at) => entry(`s${at}`));
    const { sources, more } = listSourcesRead({ sources: many, warnings: [], cited: new Set() });
    expect([sources.length, more]).toEqual([5_000, 3]);
  });
});
