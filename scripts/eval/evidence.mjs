import { built } from './built.mjs';
import { explained } from './explain.mjs';
import { rankWithin } from './rank-within.mjs';
import { share } from './shares.mjs';
import { isEvidence, studyQuestions, weightsUnseen } from './study-questions.mjs';
import { UsageError } from './usage-error.mjs';

const TOP = 5;

/** How often a sentence that doctors marked as evidence is the reader's first, or among its first five, of its article. */
export function evidenceSuite({ questionsFile, sourcesFile, questions: most, seed, explain, say }) {
  const { readQuestion } = built('reading/question/question.js');
  const { questions, articles, sentencesOf } = studyQuestions({
    questionsFile,
    sourcesFile,
    questions: most,
    seed,
  });
  const { isCrossValidated, weightsFor } = weightsUnseen();
  const counts = { first: 0, amongFive: 0, none: 0, crossValidated: 0, bm25First: 0, bm25AmongFive: 0 };
  const wanted = explain === undefined ? questions : questions.filter(({ id }) => id === explain);
  if (wanted.length === 0) throw new UsageError(`${questionsFile} has no question "${explain}".`);

  for (const { text, article, evidence } of wanted) {
    const spans = sentencesOf(article);
    const source = { ...articles.get(article), sentences: spans.map((span) => span.text) };
    const isRight = (sentence) => isEvidence(spans[sentence], evidence);
    const read = rankWithin(readQuestion(text), source, weightsFor(article));
    if (explain !== undefined)
      say(`${text}\n${explained(read.ranked, { ...read, texts: source.sentences, isRight })}`);
    if (isCrossValidated(article)) counts.crossValidated += 1;
    if (read.ranked.length === 0) counts.none += 1;
    if (read.ranked.slice(0, 1).some(isRight)) counts.first += 1;
    if (read.ranked.slice(0, TOP).some(isRight)) counts.amongFive += 1;
    if (read.byBm25.slice(0, 1).some(isRight)) counts.bm25First += 1;
    if (read.byBm25.slice(0, TOP).some(isRight)) counts.bm25AmongFive += 1;
  }
  const n = wanted.length;
  return {
    n,
    evidenceAt1: share(counts.first, n),
    evidenceAt5: share(counts.amongFive, n),
    none: counts.none,
    crossValidated: counts.crossValidated,
    counts: { evidenceAt1: counts.first, evidenceAt5: counts.amongFive },
    baseline: { evidenceAt1: share(counts.bm25First, n), evidenceAt5: share(counts.bm25AmongFive, n) },
  };
}
