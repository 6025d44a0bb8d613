import { meanOf, rounded, share } from '../shares.mjs';

/** So much lower a report that answers nothing should be at least, and so low at most. */
const LOWER_BY = 1.5;
const AT_MOST = 2.5;

/** Of pairs of judgements, on a report (`original`) and on the same with talk in the place of what it found (`talk`). */
export function talkFigures(pairs) {
  const falls = pairs.map(({ original, talk }) => rounded(original.overall - talk.overall));
  const lowerBy15 = falls.filter((fall) => fall >= LOWER_BY).length;
  const atMost25 = pairs.filter(({ talk }) => talk.overall <= AT_MOST).length;
  const sum = (key) => pairs.reduce((total, pair) => total + pair[key], 0);
  const dimensions = Object.keys(pairs[0]?.talk.scores ?? {}).filter(
    (key) => pairs[0].talk.scores[key].score !== undefined,
  );
  return {
    n: pairs.length,
    talkScore: meanOf(pairs.map(({ talk }) => talk.overall)),
    originalScore: meanOf(pairs.map(({ original }) => original.overall)),
    lower: meanOf(falls),
    lowerBy15: share(lowerBy15, pairs.length),
    atMost25: share(atMost25, pairs.length),
    exchangedShare: share(sum('exchanged'), sum('citing')),
    perDimension: Object.fromEntries(
      dimensions.map((key) => [
        key,
        {
          talk: meanOf(pairs.map(({ talk }) => talk.scores[key].score)),
          original: meanOf(pairs.map(({ original }) => original.scores[key].score)),
        },
      ]),
    ),
    counts: { lowerBy15, atMost25, exchanged: sum('exchanged'), citing: sum('citing') },
  };
}
