import { bm25Over } from './bm25.mjs';
import { built } from './built.mjs';
import { bestFirst } from './rank-within.mjs';
import { share } from './shares.mjs';
import { isEvidence, studyQuestions, weightsUnseen } from './study-questions.mjs';

const TOP_SENTENCES = 5;
const TOP_ARTICLES = 10;
/** A source is as good as so many of its sentences: one alone may say a word by chance. */
const BEST_SENTENCES = 3;

/**
 * The article is not given but sought among all: how often evidence is among the first five sentences over all articles, and
 * how well an article is found by the outcome alone. The whole question finds its article by its words nearly always, which
 * measures nothing.
 */
export function evidenceSearchSuite({ questionsFile, sourcesFile, questions: most, seed, say }) {
  const { indexSources } = built('reading/collection/collection.js');
  const { readQuestion } = built('reading/question/question.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { rankSentences } = built('reading/rank-sentences.js');
  const given = studyQuestions({ questionsFile, sourcesFile, questions: most, seed });
  const { questions, articles, sentencesOf } = given;
  const { isCrossValidated, weightsFor } = weightsUnseen();
  const sources = [...articles.values()].map((article) => ({
    ...article,
    sentences: sentencesOf(article.id).map(({ text }) => text),
  }));
  const collection = indexSources(sources);
  const baseline = bm25Over(sources.map(({ title, sentences }) => [title, ...sentences].join('\n')));
  say(`${sources.length} articles, ${collection.texts.length} sentences`);

  const counts = { evidence: 0, first: 0, amongTen: 0, bm25First: 0, bm25AmongTen: 0, crossValidated: 0 };
  for (const { text, outcome, article, evidence } of questions) {
    if (isCrossValidated(article)) counts.crossValidated += 1;
    const own = sources.findIndex(({ id }) => id === article);
    const weights = weightsFor(article);
    const byOutcome = sourcesByBest(
      rankSentences(readIndexed(readQuestion(outcome), collection), { weights }),
    );
    const byBm25 = bestFirst(baseline.of(outcome));
    if (byOutcome[0] === own) counts.first += 1;
    if (byOutcome.slice(0, TOP_ARTICLES).includes(own)) counts.amongTen += 1;
    if (byBm25[0] === own) counts.bm25First += 1;
    if (byBm25.slice(0, TOP_ARTICLES).includes(own)) counts.bm25AmongTen += 1;

    const reading = readIndexed(readQuestion(text), collection);
    const best = rankSentences(reading, { weights }).slice(0, TOP_SENTENCES);
    const spans = sentencesOf(article);
    const isRight = ({ sentence, source }) =>
      source === own && isEvidence(spans[sentence - collection.sources[own].from], evidence);
    if (best.some(isRight)) counts.evidence += 1;
  }
  const n = questions.length;
  return {
    n,
    evidenceAt5: share(counts.evidence, n),
    articleAt1: share(counts.first, n),
    articleAt10: share(counts.amongTen, n),
    crossValidated: counts.crossValidated,
    counts: { evidenceAt5: counts.evidence, articleAt1: counts.first, articleAt10: counts.amongTen },
    baseline: { articleAt1: share(counts.bm25First, n), articleAt10: share(counts.bm25AmongTen, n) },
  };
}

/** The sources of ranked sentences, by what the best of each have together. */
function sourcesByBest(ranked) {
  const scores = new Map();
  for (const { source, score } of ranked) {
    const own = scores.get(source) ?? [];
    if (own.length < BEST_SENTENCES) scores.set(source, [...own, score]);
  }
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return [...scores].sort(([, a], [, b]) => sum(b) - sum(a)).map(([source]) => source);
}
