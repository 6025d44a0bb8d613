import { meanOf, share } from '../shares.mjs';

/** What answers, and what bears on the answer; below it is talk about the topic, or off it. */
const ANSWERS = 3;
const BEARS = 2;
const GAIN_TO = 8;
const FIRST = 5;

/** Whether some sentence of a question answers it. */
export function hasAnswer(grades) {
  return Math.max(...grades) >= ANSWERS;
}

/**
 * Of rankings, each the grades of a question's sentences in their order: how near to the best order their beginning is, and what
 * stands there. Only over questions that some sentence answers: where none does, no order is better than another.
 */
export function gradedFigures(rankings) {
  const answered = rankings.filter(hasAnswer);
  const amongFirst = (isMeant) =>
    meanOf(
      answered.map((grades) => {
        const first = grades.slice(0, FIRST);
        return first.filter(isMeant).length / first.length;
      }),
    );
  return {
    ndcgAt8: meanOf(answered.map((grades) => gainOf(grades) / gainOf([...grades].sort((a, b) => b - a)))),
    goodAt5: amongFirst((grade) => grade >= BEARS),
    answerFirst: share(answered.filter(([first]) => first >= ANSWERS).length, answered.length),
    talkAt5: amongFirst((grade) => grade < BEARS),
  };
}

/** Discounted cumulative gain: a grade is worth 2^grade − 1, and the less the later it stands. */
function gainOf(grades) {
  return grades.slice(0, GAIN_TO).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

/**
 * The area under the curve of a score that is to tell those that are so from the others: the share of pairs in which the one that
 * is so has the larger score, half of those in which both have the same. Null where all are alike.
 */
export function areaUnderCurve(scored) {
  const scores = (isSo) => scored.filter((one) => one.isSo === isSo).map(({ score }) => score);
  const others = scores(false);
  const wins = scores(true).flatMap((score) =>
    others.map((other) => (score > other ? 1 : score === other ? 1 / 2 : 0)),
  );
  return meanOf(wins);
}
