import type { Finding } from '../../../src/contracts/finding';
import type { SourceWindow } from '../../../src/contracts/source';
import type { ExtractFindingsInput } from '../../../src/steps/extract-findings';
import type { SectionScope } from '../../../src/steps/material';
import type { OutlineInput } from '../../../src/steps/outline-sections';
import { splitPassages } from '../../../src/text/sentences';

/** Sources with results on one subject, three of which disagree with the fourth. Invented for the tests. */
export const CONTENT: Readonly<
  Record<string, { title: string; author: string; year: string; text: string }>
> = {
  'study-a': {
    title: 'Vitamin D and bone density in women',
    author: 'Adler, R.',
    year: '2012',
    text: 'Methods were as usual.\n\nAfter 12 months, bone mineral density rose by 2.1% in women who took 800 IU of vitamin D daily. Falls were not recorded.\n\nThe trial enrolled 240 women in Norway.',
  },
  'study-b': {
    title: 'Supplementation and bone in older adults',
    author: 'Berg, T.',
    year: '2015',
    text: 'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D. Muscle strength did not change.\n\nFractures fell from 8 to 5 in a year.',
  },
  'study-c': {
    title: 'High-dose vitamin D and falls',
    author: 'Chen, L.',
    year: '2019',
    text: 'Yearly high-dose vitamin D led to 15% more falls than placebo. The “bolus” schedule — 500,000 IU once a year — was stopped early.',
  },
  'study-d': {
    title: 'No benefit of vitamin D for bone in men',
    author: 'Diaz, M.',
    year: '2021',
    text: 'Bone mineral density did not differ between vitamin D and placebo in 410 men after 24 months. Adherence was 91%.',
  },
};

export function sourceWindow(id: string, changes: Partial<SourceWindow> = {}): SourceWindow {
  const content = CONTENT[id] ?? { title: id, author: '', year: '2020', text: id };
  return {
    sourceId: id,
    title: content.title,
    author: content.author,
    publishedAt: content.year,
    quality: { level: id === 'study-a' || id === 'study-b' ? 'authoritative' : 'general', reason: 'test' },
    summaryOnly: false,
    passages: splitPassages(content.text),
    ...changes,
  };
}

export const SECTION: SectionScope = {
  id: 'section-1',
  title: 'Bone mineral density',
  description: 'What vitamin D does to bone mineral density and falls.',
  subsections: ['Women', 'Men'],
};

export const QUESTION = 'Does vitamin D help bones in adults?';

export function extractInput(ids: readonly string[] = Object.keys(CONTENT)): ExtractFindingsInput {
  return {
    question: QUESTION,
    section: SECTION,
    sources: ids.map((id) => sourceWindow(id)),
    findings: { min: 2, max: 10 },
  };
}

/** A finding on the quote as it stands in its source. */
export function finding(
  number: number,
  sourceId: string,
  quote: string,
  changes: Partial<Finding> = {},
): Finding {
  const start = (CONTENT[sourceId]?.text ?? '').indexOf(quote);
  if (start < 0) throw new Error(`${sourceId} does not say so`);
  return {
    id: `section-1-finding-${number}`,
    sectionId: 'section-1',
    claim: quote,
    citations: [sourceId],
    evidence: [{ sourceId, quote, start, end: start + quote.length }],
    confidence: 0.75,
    ...changes,
  };
}

export const QUOTES = {
  a: 'After 12 months, bone mineral density rose by 2.1% in women who took 800 IU of vitamin D daily.',
  b: 'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D.',
  c: 'Yearly high-dose vitamin D led to 15% more falls than placebo.',
  d: 'Bone mineral density did not differ between vitamin D and placebo in 410 men after 24 months.',
} as const;

export function findings(): Finding[] {
  return [
    finding(1, 'study-a', QUOTES.a, { confidence: 0.9 }),
    finding(2, 'study-b', QUOTES.b, { confidence: 0.9 }),
    finding(3, 'study-c', QUOTES.c, { confidence: 0.6 }),
    finding(4, 'study-d', QUOTES.d, { confidence: 0.75 }),
  ];
}

export function outlineInput(ids: readonly string[] = Object.keys(CONTENT)): OutlineInput {
  return {
    question: QUESTION,
    sources: ids.map((id) => ({
      sourceId: id,
      title: CONTENT[id]?.title ?? `Title of ${id}`,
      publishedAt: '2020',
      quality: { level: 'general', reason: 'test' },
      summary: CONTENT[id]?.text ?? `What ${id} says on bone density.`,
    })),
  };
}

/** One source, and an answer to it in which nothing is wrong. */
export const FALLS_INPUT = extractInput(['study-c']);
export const FALLS_ANSWER = {
  findings: [
    {
      claim: 'Vitamin D led to 15% more falls.',
      evidence: [{ source: 'S1', quote: QUOTES.c }],
      confidence: 0.6,
    },
  ],
};
