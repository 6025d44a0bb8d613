import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { plainQuestion } from './plain-question.mjs';
import { readRecords } from './read-records.mjs';
import { UsageError } from './usage-error.mjs';

const QUESTION = {
  source_id: 'text',
  intervention: 'text',
  comparator: 'text',
  outcome: 'text',
  evidence: 'list',
};
const ARTICLE = { id: 'text', title: 'text', content: 'text' };

/** Questions on single articles whose evidence has its place there, and the articles with their sentences. */
export function studyQuestions({ questionsFile, sourcesFile, questions: most, seed }) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const articles = new Map(readRecords(sourcesFile, ARTICLE).map((article) => [article.id, article]));
  const all = readRecords(questionsFile, QUESTION).map((record) => {
    if (!articles.has(record.source_id))
      throw new UsageError(
        `${sourcesFile} has no source "${record.source_id}", on which there is a question.`,
      );
    return {
      id: record.prompt_id ?? record.id,
      article: record.source_id,
      text: plainQuestion(record),
      outcome: record.outcome,
      evidence: record.evidence.filter(({ start }) => start >= 0),
    };
  });
  const spansOf = new Map();
  return {
    questions: draw(
      all.filter(({ evidence }) => evidence.length > 0),
      most,
      seed,
    ),
    articles,
    /** The article's sentences with their places, split when they are first asked for. */
    sentencesOf(id) {
      if (!spansOf.has(id)) spansOf.set(id, sentencesOfSource(articles.get(id).content));
      return spansOf.get(id);
    },
  };
}

export function isEvidence({ start, end }, evidence) {
  return evidence.some((span) => start < span.end && span.start < end);
}

/**
 * The reader's weights for an article. Where it was among those that the weights were learned from, the row for questions
 * about effects is one that has not seen it.
 */
export function weightsUnseen() {
  const { READER_WEIGHTS, weightsNamed } = built('reading/features/score.js');
  const { folds, weights } = JSON.parse(readFileSync(join(root, 'training/cross-validation.json'), 'utf8'));
  const rows = weights.map((row) => ({ ...READER_WEIGHTS, effect: weightsNamed(row) }));
  return {
    isCrossValidated: (article) => folds[article] !== undefined,
    weightsFor: (article) => rows[folds[article]] ?? READER_WEIGHTS,
  };
}
