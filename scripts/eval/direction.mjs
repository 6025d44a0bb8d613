// How well significance and direction are read from sentences that are known to hold the result.
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { readRecords } from './read-records.mjs';
import { share } from './shares.mjs';
import { UsageError } from './usage-error.mjs';

const QUESTION = {
  source_id: 'text',
  intervention: 'text',
  comparator: 'text',
  outcome: 'text',
  labels: 'list',
  evidence: 'list',
};

const classes = {
  'significantly increased': 'increased',
  'significantly decreased': 'decreased',
  'no significant difference': 'none',
};

/**
 * Each line of the file has `intervention`, `comparator`, `outcome`, the annotators' `labels` and the `evidence` that they
 * marked, which is read from the sources where its place there is known. `read` is the reader, the built one unless told.
 */
export function directionSuite({ questionsFile, sourcesFile, questions: most, seed, read = builtReader() }) {
  const contents = new Map(
    readRecords(sourcesFile, { id: 'text', content: 'text' }).map(({ id, content }) => [id, content]),
  );
  const questions = draw(readRecords(questionsFile, QUESTION), most, seed);
  const counts = { significanceRight: 0, directionSaid: 0, directionRight: 0, voted: 0, votedRight: 0 };
  for (const { source_id: id, intervention, comparator, outcome, labels, evidence } of questions) {
    const content = contents.get(id);
    if (content === undefined)
      throw new UsageError(`${sourcesFile} has no source "${id}", on which there is a question.`);
    const label = classes[mostCommon(labels)];
    const spans = evidence.map(({ start, end, text }) => (start < 0 ? text : content.slice(start, end)));
    const texts = [...new Set(spans)];
    const significance = read.significanceOf(texts);
    if (significance === (label === 'none' ? 'none' : 'effect')) counts.significanceRight += 1;
    const vote = texts.map(read.effectTold).find((told) => told !== null);
    if (vote !== undefined) counts.voted += 1;
    if (vote === (label === 'none' ? 'none' : 'effect')) counts.votedRight += 1;
    const direction = read.directionOf(texts, { intervention, comparator, outcome });
    if (direction === null) continue;
    counts.directionSaid += 1;
    if (direction === label) counts.directionRight += 1;
  }
  const n = questions.length;
  return {
    n,
    significance: share(counts.significanceRight, n),
    direction: share(counts.directionRight, counts.directionSaid),
    leftOpen: share(n - counts.directionSaid, n),
    vote: share(counts.votedRight, counts.voted),
    voted: share(counts.voted, n),
    counts,
  };
}

/** Of equally common ones the one that was given first. */
function mostCommon(labels) {
  const count = (label) => labels.filter((other) => other === label).length;
  return labels.reduce((best, label) => (count(label) > count(best) ? label : best));
}

function builtReader() {
  return {
    ...built('reading/statements/significance.js'),
    ...built('reading/statements/direction.js'),
    ...built('reading/statements/effect-told.js'),
  };
}
