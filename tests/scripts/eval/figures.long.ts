import { confidenceError } from '../../../scripts/eval/answering';
import { areaUnderCurve } from '../../../scripts/eval/suites/open';

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
