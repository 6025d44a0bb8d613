import { splitFrontMatter } from '../../src/sources/formats/front-matter';

type Split = ReturnType<typeof splitFrontMatter>;

function split(...lines: string[]): Split {
  return splitFrontMatter(`---\n${lines.join('\n')}\n---\nThe body.\n`);
}

describe('front matter that is no YAML', () => {
  it.each([
    ['a colon in a value', ['title: Salt: a review', 'url: https://example.org/salt'], 2],
    ['a tab as indentation', ['title: "Salt: a review"', '\tnested: x', 'url: https://example.org/salt'], 3],
    ['a quote that is not closed', ['title: "Salt: a review', 'url: https://example.org/salt'], 2],
    ['a key given twice', ['title: "Salt: a review"', 'url: https://example.org/salt', 'title: Other'], 4],
    [
      'text behind a blank of a template',
      ['title: Salt: a review', 'url: https://example.org/salt', 'up: {{x}} y'],
      2,
    ],
  ])('is read line by line with %s', (_name, lines, line) => {
    const { fields, content, remarks } = split(...lines);
    expect(fields).toEqual({ title: 'Salt: a review', url: 'https://example.org/salt' });
    expect(content).toBe('The body.\n');
    expect(remarks).toEqual([
      expect.stringMatching(
        new RegExp(`^line ${line}: the front matter is no valid YAML \\(.*\\) and is read line by line$`),
      ),
    ]);
  });

  it('keeps the lists of entries that are YAML by themselves', () => {
    const { fields } = split(
      'title: Salt: a review',
      'author:',
      '  - "[[Anna Lund]]"',
      '  - Per Berg',
      'lang: en',
    );
    expect(fields).toEqual({ title: 'Salt: a review', author: 'Anna Lund; Per Berg', language: 'en' });
  });

  it('is read line by line beyond the bounds of nesting, and follows no aliases', () => {
    const deep = split('title: Salt', `x: ${'['.repeat(300)}`);
    expect(deep.fields).toEqual({ title: 'Salt' });
    expect(deep.remarks).toEqual([expect.stringContaining('line 3: ')]);
    expect(split('title: &a [Salt]', 'author: *a', 'site: [*a, *a]').fields).toEqual({ title: 'Salt' });
  });

  it('reads lists that are indented by tabs', () => {
    const { fields, remarks } = split('title:\tTrial', 'author:', '\t- Ada Lund', '\t- Bo Ek');
    expect(fields).toEqual({ title: 'Trial', author: 'Ada Lund; Bo Ek' });
    expect(remarks).toEqual([expect.stringContaining('line 4: ')]);
  });

  it.each([
    '---\n\nNot front matter: this is text.\n\n---\n\nMore.\n',
    '---\n\nRemark: 14 died.\n\n---\nMore.\n',
    '---\nIt was seen: a fall by 14.\n---\nMore.\n',
  ])('is text if it is prose between rules, as in %j', (text) => {
    expect(splitFrontMatter(text)).toMatchObject({ fields: {}, content: text, unknown: [] });
    expect(split('', 'title: Salt').fields).toEqual({ title: 'Salt' });
  });

  it('is text if it begins as prose', () => {
    const text = '---\nIt was seen (twice): a fall.\nRisk: lower: by 4.\n---\nmore\n';
    expect(splitFrontMatter(text)).toMatchObject({ fields: {}, content: text, remarks: [] });
  });
});

describe('names of fields', () => {
  it('takes those of the Obsidian web clipper', () => {
    const clipped = split(
      'title: "Inhaled steroids"',
      'source: "https://example.org/steroids"',
      'author:',
      '  - "[[Ada Lund]]"',
      '  - "[[people/Per Berg|Per Berg]]"',
      'published: 2024-05-02',
      'created: 2026-11-02',
      'description: "A two-year trial."',
      'tags:',
      '  - "clippings"',
    );
    expect(clipped.fields).toEqual({
      title: 'Inhaled steroids',
      url: 'https://example.org/steroids',
      author: 'Ada Lund; Per Berg',
      publishedAt: '2024-05-02',
      accessedAt: '2026-11-02',
    });
    expect(clipped.unknown).toEqual([]);
  });

  it.each<[string[], Record<string, string>]>([
    [['author: [[Anna Lund]], [[Per Berg]]'], { author: 'Anna Lund, Per Berg' }],
    [['source: The Lancet'], { site: 'The Lancet' }],
    [['doi: 10.1000/XYZ'], { url: 'https://doi.org/10.1000/xyz' }],
    [['doi: 10.1000/xyz', 'link: https://example.org/a'], { url: 'https://example.org/a' }],
    [['year: 2019', 'journal: BMJ'], { publishedAt: '2019', site: 'BMJ' }],
    [['date: 2026-01-01', 'published: May 2019'], { publishedAt: 'May 2019' }],
    [['created: 2026-01-01', 'accessedAt: 2026-02-02'], { accessedAt: '2026-02-02' }],
    [['publish: true', 'published: true', 'draft: false'], {}],
    [['title: "{{title}}"', 'url: {{url}}'], {}],
    [['tags: #salt'], {}],
  ])('reads %j', (lines, fields) => {
    expect(split(...lines).fields).toEqual(fields);
  });

  it('leaves out an address that is none, and says so', () => {
    const { fields, remarks } = split('title: Salt', 'url: nowhere');
    expect(fields).toEqual({ title: 'Salt' });
    expect(remarks).toEqual(['url is "nowhere", which is no web address; it is left out']);
  });

  it('tells of misspellings alone', () => {
    const usual = [
      'tags: [a]',
      'aliases: [b]',
      'cssclasses: wide',
      'publish: true',
      'status: done',
      'citekey: x',
    ];
    expect(split(...usual, 'rating: 4', 'modified: 2026-01-01').unknown).toEqual([]);
    expect(split('foo: 1', 'doj: 10.1000/xyz').unknown).toEqual([{ key: 'doj', nearest: 'doi' }]);
    expect(split('titel: Salt', 'autor: Lund').unknown).toEqual([
      { key: 'titel', nearest: 'title' },
      { key: 'autor', nearest: 'author' },
    ]);
  });
});
