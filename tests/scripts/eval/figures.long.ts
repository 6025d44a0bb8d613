import { JUDGE_DIMENSIONS } from '../../../src/contracts/judge/dimensions';
import type { Judgement } from '../../../src/contracts/judge/judgement';
import { confidenceError } from '../../../scripts/eval/answering';
import { byKey } from '../../../scripts/eval/figures';
import type { Sentence, Text } from '../../../scripts/eval/judged-text';
import { areaUnderCurve } from '../../../scripts/eval/suites/open';
import { exchangeTalk, talkFigures } from '../../../scripts/eval/suites/talk';

describe('the area under the curve', () => {
  it.each([
    ['1 where all that are so have more', [3, 2], [1, 0], 1],
    ['a half where all have the same', [1, 1], [1, 1], 0.5],
    ['the share of pairs that stand right', [3, 1], [2], 0.5],
    ['nothing where there are no others', [3, 1], [], null],
  ])('is %s', (_what, so, others, area) => {
    const scored = [
      ...so.map((score) => ({ score, isSo: true })),
      ...others.map((score) => ({ score, isSo: false })),
    ];
    expect(areaUnderCurve(scored)).toBe(area);
  });
});

describe('the error of confidence', () => {
  const answers = (confidence: number, ...right: number[]): { confidence: number; isRight: boolean }[] =>
    right.map((isRight) => ({ confidence, isRight: isRight === 1 }));

  it.each([
    ['none where each fifth answers as often as it says', [...answers(0, 0, 0), ...answers(1, 1, 1)], 0],
    ['the distance where all say the same', answers(0.9, 1, 0), 0.4],
    ['all of it where the sure are wrong and the others right', [...answers(1, 0), ...answers(0, 1)], 1],
    ['nothing without answers', [], null],
  ])('is %s', (_what, records, error) => {
    expect(confidenceError(records)).toBe(error);
  });

  it('does not depend on the order in which answers of the same confidence stand', () => {
    const records = [...answers(0.5, 1, 1, 1, 0, 0, 0), ...answers(0.8, 1, 0)];
    const turned = [...records].reverse();
    expect(confidenceError(turned)).toBe(confidenceError(records));
  });
});

describe('the figures of talk', () => {
  const judgement = (overall: number): Judgement => {
    const score = { score: overall, reason: 'So it is.', places: [] };
    const scores = byKey(JUDGE_DIMENSIONS, () => score);
    return { by: 'measures', scores, accuracyBound: 5, overall, threshold: 3, passed: true };
  };
  it('are of how much lower it is, and how low', () => {
    const pairs = [
      { original: judgement(4.5), talk: judgement(2.5), exchanged: 4, citing: 4 },
      { original: judgement(4.5), talk: judgement(4), exchanged: 2, citing: 4 },
    ];
    expect(talkFigures(pairs)).toMatchObject({
      n: 2,
      talkScore: 3.25,
      originalScore: 4.5,
      lower: 1.25,
      lowerBy15: 0.5,
      atMost25: 0.5,
      exchangedShare: 0.75,
      perDimension: { coverage: { talk: 3.25, original: 4.5 } },
    });
  });
});

describe('the exchange of what was found for talk', () => {
  const content =
    'The aim of this study was to examine rest in nurses. Rest lowered stress in nurses by a fifth. Nurses were recruited for rest.';
  const found = 'Rest lowered stress in nurses by a fifth.';
  const sentence = (text: string): Sentence => ({ text, sourceIds: ['rest'] });
  const written = [[sentence(`They report: “${found.slice(0, -1)}”.`)]];
  const report: Text = {
    text: [{ id: 'one', title: 'Rest', role: 'body', paragraphs: written }],
    material: {
      question: 'Does rest lower stress in nurses?',
      title: 'Rest',
      topics: [{ id: 'one', title: 'Rest', statements: [sentence(found)] }],
      conflicts: [],
      sources: [],
      targetWords: null,
    },
  };

  it('puts a sentence of the source that asserts nothing in the place of each quote, and of what it was made from', () => {
    const talked = exchangeTalk(report, new Map([['rest', { id: 'rest', title: 'Rest', content }]]));
    const talk = 'The aim of this study was to examine rest in nurses';
    expect(talked).toMatchObject({
      citing: 1,
      exchanged: 1,
      text: [{ paragraphs: [[{ text: `They report: “${talk}”.` }]] }],
      material: { topics: [{ statements: [{ text: `${talk}.` }] }] },
    });
  });
});
