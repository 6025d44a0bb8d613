// Whether a judge without a model sees what is wrong: texts spoiled on purpose in one dimension each, against the original.
import { performance } from 'node:perf_hooks';
import { seededRandom } from '../draw.mjs';
import { meanOf, rounded, share } from '../shares.mjs';
import { UsageError } from '../usage-error.mjs';
import { briefTexts } from './brief-texts.mjs';
import { COUNTED } from './counted-alone.mjs';
import { disputedTexts } from './disputed-texts.mjs';
import { judgedText, verifierOf } from './judged-text.mjs';
import { DEGREES, SPOILS } from './spoiled-text.mjs';
import { reportTexts } from './report-texts.mjs';

const TEXTS = 20;
const DIMENSIONS = Object.keys(SPOILS);

/** What is judged: briefs of sources, reports on a collection's folder, briefs of subtopics that answer a question differently. */
const TEXTS_OF = { briefs: briefTexts, reports: reportTexts, disputes: disputedTexts };

/** `questions` is how many texts are made. With `explain`, what is said of one, by its id. */
export async function judgeSuite({ file, of = 'briefs', questions: most = TEXTS, seed = 1, explain, say }) {
  if (!Object.hasOwn(TEXTS_OF, of))
    throw new UsageError(`--of has to be one of ${Object.keys(TEXTS_OF).join(', ')}.`);
  const startedAt = performance.now();
  const pairs = Object.fromEntries(Object.keys(DEGREES).map((degree) => [degree, []]));
  const originals = [];
  for await (const { id, text, material } of TEXTS_OF[of](file, most, seed)) {
    const verify = verifierOf(material);
    const original = await judgedText(text, material, verify);
    originals.push(original);
    if (explain === `${id}`) told(say, 'as it was written', original);
    for (const [degree, amounts] of Object.entries(DEGREES)) {
      for (const [place, dimension] of DIMENSIONS.entries()) {
        const random = seededRandom(id * 31 + place);
        const spoiledText = SPOILS[dimension](text, material, amounts, random);
        if (spoiledText === null) continue;
        const spoiled = await judgedText(spoiledText, material, verify);
        pairs[degree].push({ dimension, id, original, spoiled });
        if (explain === `${id}`) told(say, `spoiled, ${degree}: ${dimension}`, spoiled);
      }
    }
  }
  return {
    n: originals.length,
    ...summedUp(pairs.plain),
    slight: summedUp(pairs.slight),
    originals: {
      overall: meanOf(originals.map(({ judgement }) => judgement.overall)),
      least: Math.min(...originals.map(({ judgement }) => judgement.overall)),
      passedShare: share(originals.filter(({ judgement }) => judgement.passed).length, originals.length),
      scores: scoresOf(originals),
      withConflicts: originals.filter(({ document }) => document.conflicts.length > 0).length,
    },
    seconds: rounded((performance.now() - startedAt) / 1000, 1),
  };
}

function summedUp(pairs) {
  const perDimension = DIMENSIONS.map((dimension) => [dimension, figuresOf(dimension, pairs)]);
  return {
    pairs: pairs.length,
    lowerShare: share(pairs.filter(isLower).length, pairs.length),
    perDimension: Object.fromEntries(perDimension),
  };
}

const scoreIn = ({ judgement }, dimension) => judgement.scores[dimension].score;
const isLower = ({ dimension, original, spoiled }) =>
  scoreIn(spoiled, dimension) < scoreIn(original, dimension);

/** How often it is lower, by how much, how far the others move, and how often counting alone is lower. */
function figuresOf(dimension, pairs) {
  const own = pairs.filter((pair) => pair.dimension === dimension);
  const fall = (of) =>
    meanOf(own.map(({ original, spoiled }) => scoreIn(original, of) - scoreIn(spoiled, of)));
  const counted = COUNTED[dimension];
  const others = DIMENSIONS.filter((other) => other !== dimension);
  return {
    n: own.length,
    lower: own.filter(isLower).length,
    lowerShare: share(own.filter(isLower).length, own.length),
    fall: fall(dimension),
    fallsMost: own.filter((pair) => isLargestFall(pair)).length,
    others: Object.fromEntries(others.map((other) => [other, fall(other)])),
    countingLower: own.filter(
      ({ original, spoiled }) => counted(spoiled.document) < counted(original.document),
    ).length,
  };
}

/** Whether no other dimension falls by more. */
function isLargestFall({ dimension, original, spoiled }) {
  const falls = DIMENSIONS.map((of) => scoreIn(original, of) - scoreIn(spoiled, of));
  return falls[DIMENSIONS.indexOf(dimension)] >= Math.max(...falls);
}

function scoresOf(originals) {
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, meanOf(originals.map((one) => scoreIn(one, dimension)))]),
  );
}

function told(say, title, { judgement }) {
  say(`${title}: ${judgement.overall}`);
  for (const dimension of DIMENSIONS) {
    const { score, reason } = judgement.scores[dimension];
    say(`  ${dimension} ${score}: ${reason}`);
  }
}
