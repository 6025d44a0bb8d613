import { countOf, shareOf } from '../figures';
import * as product from '../product';
import { studyQuestions } from '../studies';
import { measured, type Suite } from '../suite';

const CLASSES = new Map([
  ['significantly increased', 'increased'],
  ['significantly decreased', 'decreased'],
  ['no significant difference', 'none'],
]);

/**
 * How well significance and direction are read from sentences that are known to hold the result: the `evidence` that annotators
 * marked, which is read from the sources where its place there is known. What is right is what most of their `labels` say.
 */
export const direction: Suite = {
  usage: 'direction QUESTIONS.jsonl --sources FILE [--questions N --seed S]',
  options: ['sources', 'questions', 'seed'],
  measure: (call) =>
    measured(call, {
      items: studyQuestions(call.file, call.sources[0]),
      find({ intervention, comparator, outcome, labels, evidence, article }) {
        const label = CLASSES.get(mostCommon(labels));
        const effect = label === 'none' ? 'none' : 'effect';
        const spans = evidence.map(({ start, end, text }) =>
          start < 0 ? text : article.content.slice(start, end),
        );
        const texts = [...new Set(spans)];
        const vote = texts.map(product.effectTold).find((told) => told !== null);
        const side = texts.map(product.sideTold).find((told) => told !== null);
        const way = product.directionOf(texts, { intervention, comparator, outcome });
        return {
          isSignificanceRight: product.significanceOf(texts) === effect,
          isDirectionSaid: way !== null,
          isDirectionRight: way === label,
          isVoted: vote !== undefined,
          isVoteRight: vote === effect,
          isSided: side !== undefined,
          isSideRight: side === effect,
        };
      },
      figures(found) {
        const said = found.filter(({ isDirectionSaid }) => isDirectionSaid);
        const voted = found.filter(({ isVoted }) => isVoted);
        const sided = found.filter(({ isSided }) => isSided);
        return {
          n: found.length,
          significance: shareOf(found, ({ isSignificanceRight }) => isSignificanceRight),
          direction: shareOf(said, ({ isDirectionRight }) => isDirectionRight),
          leftOpen: shareOf(found, ({ isDirectionSaid }) => !isDirectionSaid),
          vote: shareOf(voted, ({ isVoteRight }) => isVoteRight),
          voted: shareOf(found, ({ isVoted }) => isVoted),
          side: shareOf(sided, ({ isSideRight }) => isSideRight),
          sided: shareOf(found, ({ isSided }) => isSided),
          counts: {
            significanceRight: countOf(found, ({ isSignificanceRight }) => isSignificanceRight),
            directionSaid: said.length,
            directionRight: countOf(said, ({ isDirectionRight }) => isDirectionRight),
            voted: voted.length,
            votedRight: countOf(voted, ({ isVoteRight }) => isVoteRight),
          },
        };
      },
    }),
};

/** Of equally common ones the one that was given first. */
function mostCommon(labels: readonly string[]): string {
  const count = (label: string): number => countOf(labels, (other) => other === label);
  return labels.reduce((best, label) => (count(label) > count(best) ? label : best), labels[0] ?? '');
}
