// How well significance and direction are read from sentences that are known to hold the result.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

const require = createRequire(import.meta.url);
const built = (file) => require(join(root, 'dist', file));

const classes = {
  'significantly increased': 'increased',
  'significantly decreased': 'decreased',
  'no significant difference': 'none',
};

/**
 * Each line of the file has `intervention`, `comparator`, `outcome`, the annotators' `labels` and the `evidence` that they
 * marked. `read` is the reader, the built one unless told.
 */
export function directionSuite({ questionsFile, read = builtReader() }) {
  const questions = readFileSync(questionsFile, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  const counts = { significanceRight: 0, directionSaid: 0, directionRight: 0 };
  for (const { intervention, comparator, outcome, labels, evidence } of questions) {
    const label = classes[mostCommon(labels)];
    const texts = [...new Set(evidence.map(({ text }) => text))];
    const significance = read.significanceOf(texts);
    if (significance === (label === 'none' ? 'none' : 'effect')) counts.significanceRight += 1;
    const direction = read.directionOf(texts, { intervention, comparator, outcome });
    if (direction === null) continue;
    counts.directionSaid += 1;
    if (direction === label) counts.directionRight += 1;
  }
  const n = questions.length;
  return {
    n,
    significance: counts.significanceRight / n,
    direction: counts.directionRight / Math.max(1, counts.directionSaid),
    leftOpen: 1 - counts.directionSaid / n,
    counts,
  };
}

/** Of equally common ones the one that was given first. */
function mostCommon(labels) {
  const count = (label) => labels.filter((other) => other === label).length;
  return labels.reduce((best, label) => (count(label) > count(best) ? label : best));
}

function builtReader() {
  return { ...built('reading/significance.js'), ...built('reading/direction.js') };
}
