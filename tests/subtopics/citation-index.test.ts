import { AS_OF, gathered, statementsOf } from './subtopics-under-test';

const SAYS = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';

it('has one source for an address, however it is written and wherever', () => {
  const material = gathered([
    {
      summary: `${SAYS} [1]. The effect had gone after six months without walking [2].`,
      citations: ['http://www.a.example/trial/?utm_source=mail#results', 'https://a.example/trial'],
    },
    {
      summary: 'Diaries showed that most adults walked on five days a week [1].',
      citations: ['https://A.example/trial'],
    },
  ]);
  expect(material.sources).toHaveLength(1);
  expect(statementsOf(material).map(([, numbers]) => numbers)).toEqual([[1], [1], [1]]);
});

it('gives a source the same id in every run, whatever stands around it', () => {
  const url = 'https://a.example/trial';
  const [alone] = gathered([{ summary: `${SAYS} [1].`, citations: [url] }]).sources;
  const among = gathered([{ summary: `${SAYS} [2].`, citations: ['https://b.example/', `${url}/`] }]).sources;
  expect(among[0]?.id).toBe(alone?.id);
});

it('knows a source again by its DOI where a summary links to another page of it', () => {
  const material = gathered([
    {
      summary: `${SAYS} [1][2]. It lasted [for a year](https://journal.example/doi/full/10.1234/abc.5).`,
      citations: ['https://a.example/', 'https://doi.org/10.1234/abc.5'],
    },
  ]);
  expect(material.sources).toHaveLength(2);
  expect(statementsOf(material)[1]).toEqual(['It lasted for a year.', [2]]);
});

it('counts on over all subtopics, those that are only listed last', () => {
  const { sources } = gathered([
    { summary: `${SAYS} [2].`, citations: ['https://listed.example/', 'https://a.example/'] },
    { summary: 'Swimming lowered it by 2 mmHg [1].', citations: ['https://b.example/'] },
  ]);
  expect(sources.map(({ url }) => url)).toEqual([
    'https://a.example/',
    'https://b.example/',
    'https://listed.example/',
  ]);
});

it('takes what a record says, then what the summary calls the source, then its address', () => {
  const { sources } = gathered([
    {
      summary: `${SAYS} [1], as [the Oslo cohort](https://c.example/cohort) had shown before (https://www.d.example/a/b/).`,
      citations: ['https://a.example/trial'],
      sources: [
        {
          url: 'https://www.a.example/trial/',
          title: 'Walking in adults',
          author: 'Doe J',
          publishedAt: '2019',
          accessedAt: '2020-01-02',
          content: 'Walking lowered it.',
        },
      ],
    },
  ]);
  expect(sources).toMatchObject([
    { title: 'Walking in adults', author: 'Doe J', publishedAt: '2019', accessedAt: '2020-01-02' },
    { title: 'the Oslo cohort', site: 'c.example', accessedAt: AS_OF, contentRef: null, contentChars: 0 },
    { title: 'd.example/a/b', site: 'd.example' },
  ]);
  expect(sources[0]?.contentChars).toBe('Walking lowered it.'.length);
});

it('has the longest of several texts of one source', () => {
  const url = 'https://a.example/trial';
  const { sources } = gathered([
    { summary: `${SAYS} [1].`, sources: [{ url, title: 'A', content: 'Short.' }] },
    { summary: 'It lasted for a year [1].', sources: [{ url, title: 'B', content: 'Much longer.' }] },
  ]);
  expect(sources).toMatchObject([{ title: 'A', contentChars: 'Much longer.'.length }]);
});

it('knows a source without an address by its title and text', () => {
  const report = { title: 'Internal report', content: 'Walking lowered it.' };
  const { sources } = gathered([
    { summary: `${SAYS} [1].`, sources: [report] },
    { summary: 'It lasted for a year [1][2].', sources: [report, { ...report, content: 'Other words.' }] },
  ]);
  expect(sources.map(({ n, url, title }) => [n, url, title])).toEqual([
    [1, null, 'Internal report'],
    [2, null, 'Internal report'],
  ]);
});

it('rates a source by its address', () => {
  const { sources } = gathered([
    { summary: `${SAYS} [1][2].`, citations: ['https://www.who.int/news', 'https://blog.example/'] },
  ]);
  expect(sources.map(({ quality }) => quality.level)).toEqual(['authoritative', 'general']);
});

describe("a summary's own list", () => {
  const list =
    '## Sources\n\n[1] Doe J. "Walking in adults." https://a.example/trial\n[2] "Diaries." https://b.example/';

  it('says what its numbers mean, before the list that was given', () => {
    const material = gathered([
      {
        summary: `${SAYS} [1]. Diaries showed it [2].\n\n${list}`,
        citations: ['https://b.example/', 'https://a.example/trial'],
      },
    ]);
    expect(statementsOf(material)).toEqual([
      [`${SAYS}.`, [1]],
      ['Diaries showed it.', [2]],
    ]);
    expect(material.sources).toMatchObject([
      { url: 'https://a.example/trial', title: 'Walking in adults' },
      { url: 'https://b.example/', title: 'Diaries' },
    ]);
  });

  it('goes with the given one where it has some of the numbers only', () => {
    const material = gathered([
      {
        summary: `${SAYS} [1][3].\n\n## References\n\n[1] "Own entry." https://own.example/\n`,
        citations: ['https://a.example/', 'https://b.example/', 'https://c.example/'],
      },
    ]);
    expect(material.sources.map(({ url }) => url)).toEqual([
      'https://own.example/',
      'https://c.example/',
      'https://a.example/',
      'https://b.example/',
    ]);
    expect(material.warnings).toEqual([]);
  });

  it('may be made of footnotes', () => {
    const material = gathered([
      {
        summary: `${SAYS}.[^a] It lasted for a year.[^b]\n\n[^a]: https://a.example/\n[^b]: "Diaries." https://b.example/\n`,
      },
    ]);
    expect(statementsOf(material)).toEqual([
      [`${SAYS}.`, [1]],
      ['It lasted for a year.', [2]],
    ]);
  });
});

it('tells of numbers that no list has, by their subtopic, and leaves them out', () => {
  const material = gathered([
    {
      title: 'Walking',
      summary: `${SAYS} [1]. It lasted for a year [7, 9].`,
      citations: ['https://a.example/'],
    },
  ]);
  expect(material.warnings).toEqual([
    {
      code: 'citation-unknown',
      message:
        'subtopic-1 (Walking): its summary cites 7, 9, which are none of its sources; the marks are left out.',
    },
  ]);
  expect(statementsOf(material).map(([, numbers]) => numbers)).toEqual([[1], [1]]);
});
