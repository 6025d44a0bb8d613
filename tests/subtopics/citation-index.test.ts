import { AS_OF, gathered, statementsOf, urlsOf } from './subtopics-under-test';

const SAYS = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';

it('has one source for an address, however it is written and wherever', () => {
  const url = 'https://a.example/trial';
  const written = ['http://www.a.example/trial/?utm_source=mail#results', url];
  const material = gathered([
    { summary: `${SAYS} [1]. The effect had gone after six months without walking [2].`, citations: written },
    { summary: 'Diaries showed that most adults walked [1].', citations: [url.replace('a.', 'A.')] },
  ]);
  expect(material.sources).toHaveLength(1);
  expect(statementsOf(material).map((statement) => statement.slice(-3))).toEqual(['[1]', '[1]', '[1]']);
});

it('gives a source the same id in every run, whatever stands around it', () => {
  const url = 'https://a.example/trial';
  const [alone] = gathered([{ summary: `${SAYS} [1].`, citations: [url] }]).sources;
  const among = gathered([{ summary: `${SAYS} [2].`, citations: ['https://b.example/', `${url}/`] }]).sources;
  expect(among[0]?.id).toBe(alone?.id);
});

it('knows a source again by its DOI where a summary links to another page of it', () => {
  const page = 'https://journal.example/doi/full/10.1234/abc.5';
  const summary = `${SAYS} [1][2]. It lasted [for a year](${page}).`;
  const material = gathered([
    { summary, citations: ['https://a.example/', 'https://doi.org/10.1234/abc.5'] },
  ]);
  expect(material.sources).toHaveLength(2);
  expect(statementsOf(material)[1]).toBe('It lasted for a year. [2]');
});

it('counts on over all subtopics, those that are only listed last', () => {
  const [listed, a, b] = ['https://listed.example/', 'https://a.example/', 'https://b.example/'];
  const material = gathered([
    { summary: `${SAYS} [2].`, citations: [listed, a] },
    { summary: 'Swimming lowered it by 2 mmHg [1].', citations: [b] },
  ]);
  expect(urlsOf(material)).toEqual([a, b, listed]);
});

it('takes what a record says, then what the summary calls the source, then its address', () => {
  const content = 'Walking lowered it.';
  const record = {
    title: 'Walking in adults',
    author: 'Doe J',
    publishedAt: '2019',
    accessedAt: '2020-01-02',
  };
  const cohort = '[the Oslo cohort](https://c.example/cohort)';
  const { sources } = gathered([
    {
      summary: `${SAYS} [1], as ${cohort} had shown before (https://www.d.example/a/b/).`,
      citations: ['https://a.example/trial'],
      sources: [{ url: 'https://www.a.example/trial/', ...record, content }],
    },
  ]);
  expect(sources).toMatchObject([
    record,
    { title: 'the Oslo cohort', site: 'c.example', accessedAt: AS_OF, contentRef: null, contentChars: 0 },
    { title: 'd.example/a/b', site: 'd.example' },
  ]);
  expect(sources[0]?.contentChars).toBe(content.length);
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
  const told = { url: null, title: 'Internal report' };
  expect(sources).toMatchObject([
    { n: 1, ...told },
    { n: 2, ...told },
  ]);
});

it('rates a source by its address', () => {
  const citations = ['https://www.who.int/news', 'https://blog.example/'];
  const { sources } = gathered([{ summary: `${SAYS} [1][2].`, citations }]);
  expect(sources.map(({ quality }) => quality.level)).toEqual(['authoritative', 'general']);
});

describe("a summary's own list", () => {
  const list =
    '## Sources\n\n[1] Doe J. "Walking in adults." https://a.example/trial\n[2] "Diaries." https://b.example/';

  it('says what its numbers mean, before the list that was given', () => {
    const summary = `${SAYS} [1]. Diaries showed it [2].\n\n${list}`;
    const material = gathered([{ summary, citations: ['https://b.example/', 'https://a.example/trial'] }]);
    expect(statementsOf(material)).toEqual([`${SAYS}. [1]`, 'Diaries showed it. [2]']);
    expect(material.sources).toMatchObject([
      { url: 'https://a.example/trial', title: 'Walking in adults' },
      { url: 'https://b.example/', title: 'Diaries' },
    ]);
  });

  it('goes with the given one where it has some of the numbers only', () => {
    const own = 'https://own.example/';
    const citations = ['https://a.example/', 'https://b.example/', 'https://c.example/'];
    const summary = `${SAYS} [1][3].\n\n## References\n\n[1] "Own entry." ${own}\n`;
    const material = gathered([{ summary, citations }]);
    expect(urlsOf(material)).toEqual([own, citations[2], citations[0], citations[1]]);
    expect(material.warnings).toEqual([]);
  });

  it('may be made of footnotes', () => {
    const notes = '[^a]: https://a.example/\n[^b]: "Diaries." https://b.example/\n';
    const material = gathered([{ summary: `${SAYS}.[^a] It lasted for a year.[^b]\n\n${notes}` }]);
    expect(statementsOf(material)).toEqual([`${SAYS}. [1]`, 'It lasted for a year. [2]']);
  });
});

it('tells of numbers that no list has, by their subtopic, and leaves them out', () => {
  const summary = `${SAYS} [1]. It lasted for a year [7, 9].`;
  const material = gathered([{ title: 'Walking', summary, citations: ['https://a.example/'] }]);
  const message =
    'subtopic-1 (Walking): its summary cites 7, 9, which are none of its sources; the marks are left out.';
  expect(material.warnings).toEqual([{ code: 'citation-unknown', message }]);
  expect(statementsOf(material).map((statement) => statement.slice(-3))).toEqual(['[1]', '[1]']);
});
