import type { GatheredMaterial } from '../../../src/report/brief/read-subtopic';
import { titleOfAddress } from '../../../src/report/brief/subtopic-conflicts';
import { expectSound } from './material-invariants';
import { AS_OF, gathered, statedIn, statementsOf, urlsOf } from './subtopics-under-test';

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';

describe('statements of a summary', () => {
  const said = (summary: string, citations = [A, B]): string[] => statedIn(summary, citations);

  it('keeps numbers, units and quotations word for word, without the marks', () => {
    const rose = 'Serum ferritin rose by 12.4 µg/L (95% CI 3.1 to 21.7; p = 0.01)';
    const called = 'which the authors call “a modest, but real gain”';
    expect(said(`${rose} [1], ${called} [2].`)).toEqual([`${rose}, ${called}. [1, 2]`]);
  });

  it('omits headings, tables, code, questions and lists of sources', () => {
    const summary = [
      '## What was found',
      '**In adults**',
      'Walking lowered blood pressure by 4.5 mmHg [1].',
      'The trials found the following:',
      '- Swimming lowered it by 2 mmHg [2].\n- Rowing did not change it [1].',
      '| exercise | effect |\n| --- | --- |\n| cycling | lowered it by 3 mmHg [1] |',
      '```\nthe effect was computed so [1]\n```',
      'Does it last for a year?',
      `## Sources\n\n[1] "A trial of walking." ${A}\n[2] "A trial of swimming." ${B}`,
    ].join('\n\n');
    expect(said(summary)).toEqual([
      'Walking lowered blood pressure by 4.5 mmHg. [1]',
      'Swimming lowered it by 2 mmHg. [2]',
      'Rowing did not change it. [1]',
    ]);
  });

  describe('a sentence without a mark', () => {
    const [first, second] = ['Forty adults took part in it.', 'All of them walked for a year'];

    it('gets the citations of the next cited sentence of its paragraph', () => {
      expect(said(`It was done before [1]. ${first} ${second} [2].`)[1]).toBe(`${first} [2]`);
    });

    it('gets the citations of the sentence before where none follows', () => {
      expect(said(`${second} [1]. ${first}\n\nOthers walked for a month [2].`)[1]).toBe(`${first} [1]`);
    });

    it('gets all citations of its subtopic where its paragraph has none', () => {
      expect(said(`${first}\n\n${second} [2].`, [A, B, C])[0]).toBe(`${first} [1, 2, 3]`);
    });
  });

  it('have a confidence by how directly they cite and how many sources agree', () => {
    const confidenceOf = (summary: string, citations = [A, B, C]): (number | undefined)[] =>
      gathered([{ summary, citations }]).subtopics[0]?.findings.map(({ confidence }) => confidence) ?? [];
    expect(confidenceOf('Forty adults took part in it.')).toEqual([0.45]);
    const two = 'Forty adults took part in it. All of them walked for a year [1].';
    expect(confidenceOf(two)).toEqual([0.6, 0.65]);
    expect(confidenceOf('Forty adults walked for a year [1][2].')).toEqual([0.85]);
    expect(confidenceOf('Forty adults walked for a year [1-3].')).toEqual([0.95]);
    expect(confidenceOf('Forty adults walked for a year [1].', ['https://www.who.int/a'])).toEqual([0.75]);
  });

  it('omits statements without sources, with a warning', () => {
    const material = gathered([{ title: 'Walking', summary: 'Forty adults took part in it.' }]);
    expect(statementsOf(material)).toEqual([]);
    expect(material.warnings.map(({ code }) => code)).toEqual(['summary-cites-nothing']);
  });

  it('returns the offsets of statements in the summary', () => {
    const written = ['Forty **adults** took part [1].', `All walked [for a year](${B}), or more.`];
    const summary = `# Walking\n\n${written.join('\n')}`;
    const { subtopics, places } = gathered([{ summary, citations: [A] }]);
    const stand = (subtopics[0]?.findings ?? []).flatMap(({ id }) => places[id] ?? []);
    expect(stand.map(({ start, end }) => summary.slice(start, end))).toEqual(written);
    expect(stand.map(({ paragraph }) => paragraph)).toEqual([0, 0]);
  });

  it.each([
    ['', 'nothing'],
    ['[1]', 'a mark alone'],
    ['```\n[1] open code', 'code without an end'],
    ['Walked [1] [@x; @y] <b>more</b> than before.\r\n\r\n> It was quoted so [2].', 'what looks like marks'],
    ['血压降低了4.5毫米汞柱[1]。持续了一年【2】。', 'a script without spaces'],
    ['1. It rose by 3% [1]\n2. It fell by 4% [2]\n   [3]', 'items without full stops'],
  ])('returns sound material for %j: %s', (summary) => {
    expectSound(gathered([{ summary, citations: [A, B] }]), () => summary);
  });
});

describe('forms of citations', () => {
  const A = 'https://a.example/trial';
  const B = 'https://b.example/review';
  const C = 'https://c.example/cohort';
  const SENTENCE = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';
  const citing = (mark: string): string[] => statedIn(`${SENTENCE} ${mark}.`, [A, B, C]);

  it.each([
    ['[1, 3]', [1, 2]],
    [`[the review](${B})`, [1]],
    ['[^2]', [1]],
  ])('resolves %s', (mark, numbers) => {
    // The words of a link stand in the sentence.
    expect(citing(mark)[0]).toMatch(new RegExp(`^${SENTENCE}.* \\[${numbers.join(', ')}\\]$`));
  });

  it('numbers the sources as the summaries name them, then those that are only listed', () => {
    const material = gathered([{ summary: `${SENTENCE} [3].`, citations: [A, B, C] }]);
    expect(urlsOf(material)).toEqual([C, A, B]);
    expect(material.sources.map(({ n }) => n)).toEqual([1, 2, 3]);
  });
});

describe('the index of citations', () => {
  const SAYS = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';

  it('has one source for all forms of an address', () => {
    const url = 'https://a.example/trial';
    const written = ['http://www.a.example/trial/?utm_source=mail#results', url];
    const material = gathered([
      {
        summary: `${SAYS} [1]. The effect had gone after six months without walking [2].`,
        citations: written,
      },
      { summary: 'Diaries showed that most adults walked [1].', citations: [url.replace('a.', 'A.')] },
    ]);
    expect(material.sources).toHaveLength(1);
    expect(statementsOf(material).map((statement) => statement.slice(-3))).toEqual(['[1]', '[1]', '[1]']);
  });

  it('gives a source the same id in every run', () => {
    const url = 'https://a.example/trial';
    const [alone] = gathered([{ summary: `${SAYS} [1].`, citations: [url] }]).sources;
    const among = gathered([
      { summary: `${SAYS} [2].`, citations: ['https://b.example/', `${url}/`] },
    ]).sources;
    expect(among[0]?.id).toBe(alone?.id);
  });

  it('recognises a source by its DOI', () => {
    const page = 'https://journal.example/doi/full/10.1234/abc.5';
    const summary = `${SAYS} [1][2]. It lasted [for a year](${page}).`;
    const material = gathered([
      { summary, citations: ['https://a.example/', 'https://doi.org/10.1234/abc.5'] },
    ]);
    expect(material.sources).toHaveLength(2);
    expect(statementsOf(material)[1]).toBe('It lasted for a year. [2]');
  });

  it('numbers sources over all subtopics, uncited ones last', () => {
    const [listed, a, b] = ['https://listed.example/', 'https://a.example/', 'https://b.example/'];
    const material = gathered([
      { summary: `${SAYS} [2].`, citations: [listed, a] },
      { summary: 'Swimming lowered it by 2 mmHg [1].', citations: [b] },
    ]);
    expect(urlsOf(material)).toEqual([a, b, listed]);
  });

  it('names a source by its record, the summary or its address', () => {
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

  it('keeps the longest text of a source', () => {
    const url = 'https://a.example/trial';
    const { sources } = gathered([
      { summary: `${SAYS} [1].`, sources: [{ url, title: 'A', content: 'Short.' }] },
      { summary: 'It lasted for a year [1].', sources: [{ url, title: 'B', content: 'Much longer.' }] },
    ]);
    expect(sources).toMatchObject([{ title: 'A', contentChars: 'Much longer.'.length }]);
  });

  it('identifies a source without an address by title and text', () => {
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

  describe("a summary's own list", () => {
    const list =
      '## Sources\n\n[1] Doe J. "Walking in adults." https://a.example/trial\n[2] "Diaries." https://b.example/';

    it('comes before the given list', () => {
      const summary = `${SAYS} [1]. Diaries showed it [2].\n\n${list}`;
      const material = gathered([{ summary, citations: ['https://b.example/', 'https://a.example/trial'] }]);
      expect(statementsOf(material)).toEqual([`${SAYS}. [1]`, 'Diaries showed it. [2]']);
      expect(material.sources).toMatchObject([
        { url: 'https://a.example/trial', title: 'Walking in adults' },
        { url: 'https://b.example/', title: 'Diaries' },
      ]);
    });

    it('is completed by the given list', () => {
      const own = 'https://own.example/';
      const citations = ['https://a.example/', 'https://b.example/', 'https://c.example/'];
      const summary = `${SAYS} [1][3].\n\n## References\n\n[1] "Own entry." ${own}\n`;
      const material = gathered([{ summary, citations }]);
      expect(urlsOf(material)).toEqual([own, citations[2], citations[0], citations[1]]);
      expect(material.warnings).toEqual([]);
    });

    it('may consist of footnotes', () => {
      const notes = '[^a]: https://a.example/\n[^b]: "Diaries." https://b.example/\n';
      const material = gathered([{ summary: `${SAYS}.[^a] It lasted for a year.[^b]\n\n${notes}` }]);
      expect(statementsOf(material)).toEqual([`${SAYS}. [1]`, 'It lasted for a year. [2]']);
    });
  });

  it('omits unknown numbers, with a warning', () => {
    const summary = `${SAYS} [1]. It lasted for a year [7, 9].`;
    const material = gathered([{ title: 'Walking', summary, citations: ['https://a.example/'] }]);
    const message =
      'subtopic-1 (Walking): its summary cites 7, 9, which are none of its sources; the marks are left out.';
    expect(material.warnings).toEqual([{ code: 'citation-unknown', message }]);
    expect(statementsOf(material).map((statement) => statement.slice(-3))).toEqual(['[1]', '[1]']);
  });
});

describe('repeated statements', () => {
  const LONG =
    'In forty older adults who walked for thirty minutes a day over twelve weeks, systolic blood pressure fell by 4.5 mmHg on average';

  it('are kept once, in the first subtopic, with all citations', () => {
    const summaries = [`${LONG} [1].`, `Diaries were kept by all of them [1]. ${LONG} [2].`];
    const material = gathered(summaries.map((summary) => ({ summary, citations: [A, B] })));
    expect(statementsOf(material)).toEqual([`${LONG}. [1, 2]`, 'Diaries were kept by all of them. [1]']);
    const [first] = material.subtopics[0]?.findings ?? [];
    expect(first?.confidence).toBe(0.85);
    const places = material.places[first?.id ?? ''] ?? [];
    expect(places.map(({ subtopicId }) => subtopicId)).toEqual(['subtopic-1', 'subtopic-2']);
    expectSound(material, (id) => summaries[Number(id.at(-1)) - 1] ?? '');
  });

  it('do not raise the confidence where the source is the same', () => {
    const summary = `${LONG} [1].`;
    const material = gathered([
      { summary, citations: [A] },
      { summary, citations: [`${A}?utm_source=b`] },
    ]);
    expect(material.subtopics[0]?.findings).toMatchObject([{ confidence: 0.65 }]);
  });

  it('are recognised where they differ in a word', () => {
    const other = LONG.replace('on average', 'on the average');
    expect(statedIn(`${LONG} [1].\n\n${other} [2].`, [A, B])).toEqual([`${LONG}. [1, 2]`]);
  });

  it.each([
    ['4.5', '5.4'],
    ['older adults', 'young adults'],
    ['fell by', 'rose by'],
  ])('keeps both where %s becomes %s', (one, other) => {
    const changed = LONG.replace(one, other);
    const stated = statedIn(`${LONG} [1].\n\n${changed} [2].`, [A, B]);
    expect(stated).toEqual([`${LONG}. [1]`, `${changed}. [2]`]);
  });

  it('do not get citations from an uncited repeat', () => {
    const material = gathered([
      { summary: `${LONG} [1].`, citations: [A] },
      { summary: `${LONG}.\n\nDiaries were kept by all of them [1].`, citations: [B] },
    ]);
    expect(statementsOf(material)[0]).toBe(`${LONG}. [1]`);
  });
});

describe('disagreements', () => {
  const ROSE =
    'Vitamin D supplementation significantly increased bone mineral density in postmenopausal women';

  const DID_NOT = 'Vitamin D supplementation did not increase bone mineral density in postmenopausal women';

  it('are found across subtopics, with the citations of both sides', () => {
    const summaries = [`${ROSE} [1][3].`, `Calcium was given to all of them [1]. ${DID_NOT} [2].`];
    const material = gathered(summaries.map((summary) => ({ summary, citations: [A, B, C] })));
    const { conflicts, sources } = material;
    const urlOf = new Map(sources.map(({ id, url }) => [id, url]));
    expect(conflicts).toHaveLength(1);
    const sides = conflicts[0]?.viewpoints.map(({ citations }) => citations.map((id) => urlOf.get(id)));
    expect(sides).toEqual([[A, C], [B]]);
    expect(conflicts[0]?.findingIds).toEqual(['subtopic-1-finding-1', 'subtopic-2-finding-2']);
    expect(conflicts[0]?.resolution).toBe('present_both');
    expect(material.subtopics.map(({ findings }) => findings.at(-1)?.confidence)).toEqual([0.6, 0.6]);
    expectSound(material, (id) => summaries[Number(id.at(-1)) - 1] ?? '');
  });

  it('are found within one subtopic', () => {
    const { conflicts } = gathered([{ summary: `${ROSE} [1].\n\n${DID_NOT} [2].`, citations: [A, B] }]);
    expect(conflicts).toHaveLength(1);
  });
});

describe('rough summaries', () => {
  const claimsIn = ({ subtopics }: GatheredMaterial): string[] =>
    subtopics.flatMap(({ findings }) => findings.map(({ claim }) => claim));

  const claimsOf = (summary: string): string[] => claimsIn(gathered([{ summary, citations: [A, B] }]));

  it('reads list items as statements', () => {
    const items = ['Prices fell by 12 % in 2023', 'Loans are rare in towns'];
    expect(claimsOf(`- ${items[0]} [1]\n- ${items[1]} [2]`)).toEqual(items);
  });

  it('omits references to a site, but keeps an address within a sentence', () => {
    const summary =
      'Prices fell by 12 % in 2023 [1]. See https://www.a.example/x. Loans are rare in towns [2].';
    expect(claimsOf(summary)).toEqual(['Prices fell by 12 % in 2023.', 'Loans are rare in towns.']);
    const taken = claimsOf('All prices were taken from https://b.example/x.');
    expect(taken).toEqual(['All prices were taken from b.example.']);
  });

  it('keeps the full stop of an abbreviation', () => {
    const claims = claimsOf('The doors open at 8 a.m. [1]. Most guests leave at 5 p.m. Staff stay on [2].');
    expect(claims).toEqual(['The doors open at 8 a.m.', 'Most guests leave at 5 p.m.', 'Staff stay on.']);
  });

  it('removes control and invisible characters', () => {
    const summary =
      'Prices\u0000 fell\u001b[31m by 12\u202e % in 2023 [1]. Loans\u0008 are rare\u200b in towns [2].';
    const material = gathered([{ title: 'Costs\u0007', summary, citations: [A, B] }]);
    expect(claimsIn(material)).toEqual(['Prices fell by 12 % in 2023.', 'Loans are rare in towns.']);
    expect(material.subtopics[0]?.title).toBe('Costs');
  });

  it('omits a text without sentences, with a warning', () => {
    const endless = 'walking helps adults and '.repeat(400);
    const summary = `Loans are rare in towns [1].\n\n${endless}[2].`;
    const material = gathered([{ summary, citations: [A, B] }]);
    expect(statementsOf(material)).toEqual(['Loans are rare in towns. [1]']);
    const message = expect.stringContaining('what begins on line 3') as string;
    expect(material.warnings).toEqual([{ code: 'summary-not-read', message }]);
  });
});

describe('titleOfAddress', () => {
  it.each([
    ['https://www.example.org/news/heat-pumps-in-old-houses', 'Heat pumps in old houses'],
    ['https://example.org/reports/global_outlook_2023.pdf?utm_source=x', 'Global outlook 2023'],
    ['https://example.org/w%C3%A4rmepumpen-im-altbau/', 'Wärmepumpen im altbau'],
  ])('makes a title of %s', (url, title) => {
    expect(titleOfAddress(url)).toBe(title);
  });

  it.each([
    ['https://arxiv.org/abs/1907.05922', 'arxiv.org/abs/1907.05922'],
    ['https://doi.org/10.1038/s41586-020-2649-2', 'doi.org/10.1038/s41586-020-2649-2'],
    ['https://example.org/9f3b-ab12-de', 'example.org/9f3b-ab12-de'],
    ['https://example.org/about', 'example.org/about'],
    ['https://example.org/a-%3Cb%3E-word-here', 'example.org/a-%3Cb%3E-word-here'],
    ['https://example.org/%E0%A4%A', 'example.org/%E0%A4%A'],
    ['https://www.example.org/', 'example.org'],
  ])('returns %s without its scheme', (url, title) => {
    expect(titleOfAddress(url)).toBe(title);
  });
});
