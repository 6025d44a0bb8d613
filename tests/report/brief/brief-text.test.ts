import { parseBriefText } from '../../../src/report/brief/brief-text';

const PARTS = [
  { id: 'summary', title: 'Executive Summary' },
  { id: 'subtopic-1', title: 'Bone mineral density' },
  { id: 'subtopic-2', title: 'Falls and fractures' },
  { id: 'conclusions', title: 'Conclusions' },
];

function partsOf(markdown: string): Record<string, string> {
  const { parts } = parseBriefText(markdown, { parts: PARTS, title: 'Bones' });
  return Object.fromEntries(parts.map(({ id, markdown: text }) => [id, text]));
}

const WHOLE = {
  summary: 'Density rose [@a].',
  'subtopic-1': 'It rose by 2 % [@a].\n\nIt did not in men [@b].',
  'subtopic-2': 'Falls rose by 15 % [@c].',
  conclusions: 'A daily dose is safer [@c].',
};

describe('readBriefText', () => {
  it.each([
    ['as asked', (title: string) => `## ${title}`],
    ['at other levels', (title: string, at: number) => `${'#'.repeat(1 + (at % 4))} ${title}`],
    [
      'numbered, in capitals, closed',
      (title: string, at: number) => `## ${at + 1}. ${title.toUpperCase()} ##`,
    ],
  ])('headings open the parts whose titles they are: %s', (_name, headingOf) => {
    const text = PARTS.map(
      ({ id, title }, at) => `${headingOf(title, at)}\n\n${WHOLE[id as keyof typeof WHOLE]}`,
    ).join('\n\n');
    expect(partsOf(text)).toEqual(WHOLE);
  });

  it('takes the first heading that is no part’s for the title', () => {
    const read = (markdown: string): string =>
      parseBriefText(markdown, { parts: PARTS, title: 'Bones' }).title;
    expect(read('# Vitamin D and bone\n\n## Executive Summary\n\nIt rose [@a].')).toBe('Vitamin D and bone');
    expect(read('# Executive Summary\n\nIt rose [@a].')).toBe('Bones');
  });

  it('numbers the statements over all parts, in the template’s order', () => {
    const { statements } = parseBriefText(
      '## Conclusions\n\nA daily dose is safer [@c].\n\n## Executive Summary\n\nDensity rose [@a].',
      { parts: PARTS, title: 'Bones' },
    );
    expect(statements.map(({ id, partId }) => [id, partId])).toEqual([
      ['T1', 'summary'],
      ['T2', 'conclusions'],
    ]);
  });

  it('another heading opens the part that comes next where no heading names it', () => {
    const text = [
      `## Executive Summary\n\n${WHOLE.summary}`,
      `## What daily doses do\n\n${WHOLE['subtopic-1']}`,
      `## Falls, fractures\n\n${WHOLE['subtopic-2']}`,
      `## Conclusions\n\n${WHOLE.conclusions}`,
    ].join('\n\n');
    expect(partsOf(text)).toEqual(WHOLE);
  });

  it('a heading of the findings, headings within parts and a list of sources are dropped', () => {
    const text = [
      `## Executive Summary\n\n${WHOLE.summary}`,
      '## Key Findings',
      '### Bone mineral density\n\nIt rose by 2 % [@a].',
      '#### Men\n\nIt did not in men [@b].',
      `### Falls and fractures\n\n${WHOLE['subtopic-2']}`,
      `## Conclusions\n\n${WHOLE.conclusions}`,
      '## Sources\n\n1. Adler, “Bones”',
    ].join('\n\n');
    expect(partsOf(text)).toEqual(WHOLE);
  });

  it('text before any heading opens the first part, and absent parts are absent', () => {
    expect(partsOf('Density rose [@a].\n\n## Conclusions\n\nA daily dose is safer [@c].')).toEqual({
      summary: 'Density rose [@a].',
      conclusions: 'A daily dose is safer [@c].',
    });
    expect(partsOf('')).toEqual({});
  });
});
