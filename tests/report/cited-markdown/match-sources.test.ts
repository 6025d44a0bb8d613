import { verifyReport } from '../../../src/report/verify-report';

const SOURCES = [
  {
    id: 'trial',
    title: 'Trial of vitamin D in older adults: a report',
    file: 'trial.docx',
    author: 'Jane Smith',
    publishedAt: '2020-03-01',
    content: 'Vitamin D cut falls by 20%. The trial ran in Oslo.',
  },
  {
    id: 'survey',
    title: 'Calcium and fractures',
    file: 'survey.pdf',
    content: 'Calcium had no effect on fractures.',
  },
  {
    id: 'other',
    title: 'Trial of calcium in adults',
    file: 'trial-2.docx',
    content: 'Nothing is of use here.',
  },
];

function claimsOf(markdown: string): [text: string, ...sources: (string | null)[]][] {
  return verifyReport(markdown, SOURCES).claims.map(({ text, citations }) => [
    text,
    ...citations.map(({ sourceId }) => sourceId),
  ]);
}

const BOTH = [
  ['Vitamin D cut falls by 20%.', 'trial'],
  ['Calcium had no effect on fractures.', 'survey'],
];

describe('sources by name', () => {
  it.each([
    'Vitamin D cut falls by 20% [trial.docx]. Calcium had no effect on fractures [survey.pdf].',
    'Vitamin D cut falls by 20%.[trial.docx] Calcium had no effect on fractures.[survey.pdf, p. 3]',
    'Vitamin D cut falls by 20% [Trial 2020]. Calcium had no effect on fractures [Calcium and fractures].',
    'Vitamin D cut falls by 20% [Smith 2020]. Calcium had no effect on fractures [SURVEY.PDF].',
    'Vitamin D cut falls by 20% [Trial of vitamin D]. Calcium had no effect on fractures [Calcium and fractures].',
    'Vitamin D cut falls by 20%【4:0†trial.docx】. Calcium had no effect on fractures【4:1†survey.pdf】.',
  ])('finds them in “%s”', (markdown) => {
    expect(claimsOf(markdown)).toEqual(BOTH);
  });

  it('leaves brackets alone that are words of the sentence', () => {
    const quoting = 'They wrote that “the [vitamin D] group fell less often than the [control] group [sic].”';
    expect(claimsOf(quoting)).toEqual([]);
  });

  it('knows titles of function words, alone and in a list', () => {
    const third = { id: 'third', title: 'Third thing', content: 'Nothing of interest happened.' };
    for (const markdown of ['It rained [Third thing].', 'It rained.[1]\n\n## Sources\n\n1. Third thing\n']) {
      const { claims } = verifyReport(markdown, [third, ...SOURCES]);
      expect(claims.map(({ citations }) => citations.map(({ sourceId }) => sourceId))).toEqual([['third']]);
    }
  });

  it('takes none of two sources that a short title fits', () => {
    const { problems } = verifyReport(
      'Vitamin D cut falls.[1]\n\n## Sources\n\n1. Trial in adults\n',
      SOURCES,
    );
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'source-ambiguous', sourceIds: ['trial', 'other'] }),
    );
  });
});

describe('a list of sources at the end without a heading', () => {
  const body = 'Vitamin D cut falls by 20%.[1] Calcium had no effect on fractures.[2]';

  it.each([
    `${body}\n\n[1] trial.docx\n[2] survey.pdf`,
    `${body}\n[1] trial.docx\n[2] survey.pdf`,
    `${body}\n\n[1]: trial.docx\n[2]: survey.pdf`,
    `${body}\n\n1. Trial 2020\n2. Calcium and fractures`,
    `${body}\n\n1) trial.docx – Trial of vitamin D\n2) survey.pdf`,
    'Vitamin D cut falls by 20%.¹ Calcium had no effect on fractures.²\n\n¹ Trial 2020\n² survey.pdf',
    'Vitamin D cut falls by 20%.[^1^] Calcium had no effect on fractures.[^2^]\n\n[^1^]: trial.docx\n[^2^]: survey.pdf',
  ])('is read: %j', (markdown) => {
    expect(claimsOf(markdown)).toEqual(BOTH);
  });

  it('is no list of recommendations', () => {
    const advice = '1. Take vitamin D every day with food.\n2. Do not take calcium on its own.';
    const { audit, entries } = verifyReport(`${body}\n\nWe recommend:\n\n${advice}`, SOURCES);
    expect(entries).toEqual([]);
    expect(audit.uncited).toBe(3);
  });
});

describe('citations behind the end of a sentence', () => {
  const list = '\n\n## Sources\n\n1. trial.docx\n2. survey.pdf\n';
  const marked = (first: string, second: string): string =>
    `Vitamin D cut falls by 20%${first} Calcium had no effect on fractures${second}${list}`;

  it.each([
    ['.[1]', '.[2]'],
    ['.¹', '.²'],
    ['.<sup>1</sup>', '.<sup>2</sup>'],
    ['.<sup>[1]</sup>', '.<sup>[2]</sup>'],
    ['.【1】', '.【2】'],
    ['.【1†source】', '.【2†source】'],
    ['.[^1^]', '.[^2^]'],
    ['.[[1]](https://example.org/1)', '.[[2]](https://example.org/2)'],
  ])('%s and %s belong to the sentences before them', (first, second) => {
    expect(claimsOf(marked(first, second))).toEqual(BOTH);
  });

  it.each([
    ['¹', '²'],
    ['<sup>1</sup>', '<sup>2</sup>'],
  ])('%s without a full stop ends a sentence before a capital', (first, second) => {
    const claims = claimsOf(marked(first, second));
    expect(claims.map(([text, ...sources]) => [text.replace(/\.?$/, '.'), ...sources])).toEqual(BOTH);
  });

  it.each(['.[1, 2]', '.[1][2]', '.¹,²', '.¹ ²'])('%s cites both', (mark) => {
    expect(claimsOf(`Vitamin D cut falls by 20%${mark}${list}`)).toEqual([
      ['Vitamin D cut falls by 20%.', 'trial', 'survey'],
    ]);
  });

  it('leaves exponents to the sentence', () => {
    const text =
      'There were 10³ cells in 5 m² (p < 10⁻³).[1] A dish held 10<sup>3</sup> cells on 2 m<sup>2</sup>.[2]';
    expect(claimsOf(text + list)).toEqual([
      ['There were 10³ cells in 5 m² (p < 10⁻³).', 'trial'],
      ['A dish held 10³ cells on 2 m².', 'survey'],
    ]);
  });
});
