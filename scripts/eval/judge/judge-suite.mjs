// Whether a judge without a model sees what is wrong: texts spoiled on purpose in one dimension each, against the original.
import { performance } from 'node:perf_hooks';
import { built } from '../built.mjs';
import { seededRandom } from '../draw.mjs';
import { meanOf, rounded, share } from '../shares.mjs';
import { UsageError } from '../usage-error.mjs';
import { COUNTED } from './counted-alone.mjs';
import { judgedText, verifierOf } from './judged-text.mjs';
import { madeMaterial } from './made-material.mjs';
import { SPOILS } from './spoiled-text.mjs';
import { writtenText } from './written-text.mjs';

const REPORTS = 20;
const DIMENSIONS = Object.keys(SPOILS);

/** `questions` is how many texts are made of the collection. With `explain`, what is said of one of them, by its seed. */
export async function judgeSuite({ file, questions: reports = REPORTS, seed = 1, explain, say }) {
  const sources = await readAll(file);
  const startedAt = performance.now();
  const pairs = [];
  const originals = [];
  for (let at = 0; at < reports; at += 1) {
    const id = seed * 1000 + at;
    const material = madeMaterial(sources, id);
    const verifier = verifierOf(material);
    const text = writtenText(material);
    const original = judgedText(text, material, verifier);
    originals.push(original);
    if (explain === `${id}`) told(say, 'as it was written', original);
    for (const [place, dimension] of DIMENSIONS.entries()) {
      const spoiledText = SPOILS[dimension](text, material, seededRandom(id * 31 + place));
      if (spoiledText === null) continue;
      const spoiled = judgedText(spoiledText, material, verifier);
      pairs.push({ dimension, original, spoiled });
      if (explain === `${id}`) told(say, `spoiled: ${dimension}`, spoiled);
    }
  }
  return {
    n: reports,
    pairs: pairs.length,
    lowerShare: share(pairs.filter(isLower).length, pairs.length),
    perDimension: Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, figuresOf(dimension, pairs)])),
    originals: {
      overall: meanOf(originals.map(({ judgement }) => judgement.overall)),
      least: Math.min(...originals.map(({ judgement }) => judgement.overall)),
      passed: originals.filter(({ judgement }) => judgement.passed).length,
      scores: scoresOf(originals),
      withConflicts: originals.filter(({ document }) => document.conflicts.length > 0).length,
    },
    seconds: rounded((performance.now() - startedAt) / 1000, 1),
  };
}

async function readAll(file) {
  const { readSources } = built('sources/read-sources.js');
  const sources = [];
  for await (const reading of readSources([file])) {
    if (!reading.ok) throw new UsageError(`${reading.problem.file}: ${reading.problem.message}.`);
    sources.push(reading.record);
  }
  return sources;
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
    fall: fall(dimension),
    lowestOfFive: own.filter((pair) => isLargestFall(pair)).length,
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
