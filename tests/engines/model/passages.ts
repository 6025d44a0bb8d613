import type { AnswerInput, ContextPassage } from '../../../src/steps/answer-question';

export const QUESTION = 'Does vitamin D help bones in adults?';

/** Invented for the tests: two documents of two passages each, and one of one. */
const PASSAGES: [document: string, pages: [number, number] | null, text: string][] = [
  [
    'women.pdf',
    [5, 6],
    'After 12 months, bone mineral density rose by 2.1% in women who took 800 IU of vitamin D daily.',
  ],
  [
    'older-adults.pdf',
    [10, 10],
    'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D. Muscle strength did not change.',
  ],
  ['women.pdf', [9, 9], 'Fractures fell from 8 to 5 in a year in the women who took vitamin D.'],
  [
    'older-adults.pdf',
    [12, 13],
    'Bone mineral density did not differ between vitamin D and placebo in men after 24 months.',
  ],
  ['Vitamin D on the web', null, 'Yearly high-dose vitamin D led to 15% more falls than placebo.'],
];

export function passages(): ContextPassage[] {
  return PASSAGES.map(([document, pages, text], at) => ({
    id: `P${at + 1}`,
    sourceId: `source-of-${document.replace(/\W/g, '-')}`,
    document,
    title: document,
    url: pages === null ? 'https://vitamins.example/d' : null,
    pages: pages === null ? null : { from: pages[0], to: pages[1] },
    start: 0,
    end: text.length,
    text,
    origin: 'text',
    score: 1 - at / 10,
  }));
}

export function answerInput(changes: Partial<AnswerInput> = {}): AnswerInput {
  return {
    question: QUESTION,
    history: [],
    passages: passages(),
    counts: { sentences: 6, holders: {} },
    answerable: 0.9,
    synthesisMode: false,
    maxTokens: 400,
    temperature: 0.7,
    ...changes,
  };
}
