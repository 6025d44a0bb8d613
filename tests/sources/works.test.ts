import { z } from 'zod';
import { resolve } from 'node:path';
import { readSources } from '../../src/sources/read-sources';
import { findWorks, type PartOfWork, workSigns } from '../../src/sources/works';
import { titleOf } from '../../src/sources/source-title';
import { itWithData, sharedRecords } from '../support/shared-data';

const Given = z.object({
  id: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  file: z.string().optional(),
  author: z.string().optional(),
  site: z.string().optional(),
  sha256: z.string().optional(),
  content: z.string(),
});

function part({ url, title, content, ...given }: z.infer<typeof Given>): PartOfWork {
  return { ...given, url: url ?? null, title: title ?? titleOf(content, null), signs: workSigns(content) };
}

/** The ids of the parts of each work, and their titles. */
function worksIn(sources: readonly z.infer<typeof Given>[]): { title: string; ids: string[] }[] {
  const works = new Map<string, { title: string; ids: string[] }>();
  for (const [sourceId, { id, title }] of findWorks(sources.map(part))) {
    const { ids } = works.get(id) ?? { ids: [] };
    works.set(id, { title, ids: [...ids, sourceId] });
  }
  return [...works.values()];
}

describe('findWorks', () => {
  const CHAPTERS = [
    { id: 'survey-1', content: '# A survey of bridges\n\nWe drove.' },
    { id: 'survey-2', title: '1. Steel', content: 'Steel holds [1].' },
    { id: 'survey-3', title: '2. Stone', content: 'Stone stays [2].' },
    { id: 'survey-4', title: '3. Wood', content: 'Wood gives [1][3].' },
  ];

  it('joins numbered chapters under the heading of the document', () => {
    expect(worksIn(CHAPTERS)).toEqual([
      { title: 'A survey of bridges', ids: ['survey-1', 'survey-2', 'survey-3', 'survey-4'] },
    ]);
  });

  it('joins texts whose citation numbers run on', () => {
    const [first, second] = ['Steel holds [1]. Iron rusts [2].', 'Stone stays [7]. Steel holds [1].'];
    const parts = [
      { id: 'r-8-2', title: 'Steel', content: first },
      { id: 'r-8-6', title: 'Stone', content: second },
    ];
    expect(worksIn(parts)).toEqual([{ title: 'r-8', ids: ['r-8-2', 'r-8-6'] }]);
  });

  it('joins one page by its address without the fragment, one file, and one list of references', () => {
    const list = '[1] Doe 2001\n[2] Roe 2002\n[3] Poe 2003';
    const sources = [
      { id: 'a', url: 'https://example.org/p#one', title: 'One', content: 'One.' },
      { id: 'b', url: 'https://www.example.org/p#two', title: 'Two', content: 'Two.' },
      { id: 'c', file: 'report.pdf', content: 'Three.' },
      { id: 'd', file: 'report.pdf', content: 'Four.' },
      { id: 'e', content: `Five [1].\n\n${list}` },
      { id: 'f', content: `Six [2].\n\n${list}` },
    ];
    expect(worksIn(sources).map(({ ids }) => ids)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
  });

  test.each([
    ['notes whose ids alone are alike', CHAPTERS.map(({ id }) => ({ id, content: `Note ${id}.` }))],
    [
      'chapters with addresses of their own',
      CHAPTERS.map((one) => ({ ...one, url: `https://example.org/${one.id}` })),
    ],
    ['chapters of different authors', CHAPTERS.map((one) => ({ ...one, author: one.id }))],
    [
      'files of one name with other bytes',
      ['a', 'b'].map((id) => ({ id, file: 'x.pdf', sha256: id, content: id })),
    ],
    [
      'notes that each cite from 1 on',
      ['n-1', 'n-2', 'n-3'].map((id) => ({ id, title: id, content: 'It holds [1]. It stays [2].' })),
    ],
    [
      'two notes with short lists of their own',
      ['a', 'b'].map((id) => ({ id, content: `It holds [1].\n\n[1] Doe 2001\n[2] Roe 2002` })),
    ],
  ])('joins no %s', (_what, sources) => {
    expect(worksIn(sources)).toEqual([]);
  });

  itWithData(['strong-model-2/sources.jsonl'], 'joins the sections of one report', () => {
    const works = worksIn(sharedRecords('strong-model-2/sources.jsonl', Given));
    expect(works.map(({ ids }) => ids)).toEqual([
      Array.from({ length: 9 }, (_, at) => `report-97-${at}`),
      ['report-82-2', 'report-82-6'],
      ['report-57-2', 'report-57-6'],
    ]);
    expect(works[0]?.title).toMatch(/^Socioeconomic Impacts of Regional Airports/);
  });

  itWithData(['collections/reports/sources.jsonl'], 'joins nothing that belongs to two reports', () => {
    const works = worksIn(sharedRecords('collections/reports/sources.jsonl', Given));
    const reports = works.map(({ ids }) => new Set(ids.map((id) => id.replace(/-\d+$/, ''))).size);
    expect(reports.every((count) => count === 1)).toBe(true);
    expect(works.length).toBeGreaterThanOrEqual(16);
  });

  it('leaves the sources of the examples alone', async () => {
    const sources: PartOfWork[] = [];
    const folders = ['vitamin-d', 'smaller-language-models'].map((name) => `examples/${name}`);
    for await (const reading of readSources(folders, { cwd: resolve(__dirname, '../..') }))
      if (reading.ok) sources.push(part(reading.record));
    expect(sources).toHaveLength(32);
    expect(findWorks(sources).size).toBe(0);
  });

  const alone = ['studies', 'collections/web', 'collections/encyclopedia'].map(
    (name) => `${name}/sources.jsonl`,
  );

  itWithData(alone, 'leaves independent texts alone', () => {
    for (const file of alone) expect(worksIn(sharedRecords(file, Given))).toEqual([]);
  });
});
