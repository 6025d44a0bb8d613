// What words alone tell of a claim beside what it cites: the learned score, and the verdicts without a model.
import { built } from '../built.mjs';
import { draw } from '../draw.mjs';
import { rounded } from '../shares.mjs';
import { readClaims } from './read-claims.mjs';
import { calibrationError, classFigures, precisionAmong } from './score-figures.mjs';
import { hasOverlap } from './overlap.mjs';
import { verdictFigures } from './verdict-figures.mjs';
import { weightsUnseen } from './weights-unseen.mjs';

const LIKELY = 0.5;
const HIGH = 0.8;
const LOW = 0.2;

/** Each line has a `claim`, a `label`, and its `references` or its `evidence` as a list of texts. */
export function attributionSuite({ file, questions: most, seed }) {
  const { bearingScoreOn } = built('verification/score/bearing-score.js');
  const { groupedBy } = built('core/values/grouped-by.js');
  const { indexPassage } = built('verification/score/index-passage.js');
  const { isCrossValidated, weightsFor } = weightsUnseen();
  const records = draw(readClaims(file), most, seed);

  const before = process.cpuUsage();
  const scores = records.map(({ id, claim, passages }) =>
    bearingScoreOn(claim, passages.map(indexPassage), weightsFor(id)),
  );
  const { user, system } = process.cpuUsage(before);
  // Of one core, whoever else may use the machine.
  const seconds = (user + system) / 1e6;

  const scored = records.map((record, at) => ({ ...record, score: scores[at] }));
  const likely = scored.map(({ isBorne, score, subset }) => ({ isBorne, isSaid: score >= LIKELY, subset }));
  const overlapping = records.map(({ claim, passages, isBorne }) => ({
    isBorne,
    isSaid: hasOverlap(claim, passages),
  }));
  const high = precisionAmong(scored, ({ score }) => score >= HIGH, true);
  const low = precisionAmong(scored, ({ score }) => score <= LOW, false);
  const { counts, ...verdicts } = verdictFigures(records);
  const { macroF1, classes } = classFigures(likely);
  return {
    n: records.length,
    macroF1,
    classes,
    subsets: Object.fromEntries(
      [...groupedBy(likely, ({ subset }) => subset)].map(([subset, part]) => [
        subset,
        { n: part.length, ...classFigures(part) },
      ]),
    ),
    crossValidated: records.filter(({ id }) => isCrossValidated(id)).length,
    ...verdicts,
    calibrationError: calibrationError(scored),
    precisionAt80: high.share,
    precisionAt20: low.share,
    claimsPerSecond: rounded(records.length / seconds, 0),
    counts: {
      attributable: records.filter(({ isBorne }) => isBorne).length,
      ...counts,
      precisionAt80: high.n,
      precisionAt20: low.n,
    },
    baseline: classFigures(overlapping),
  };
}
