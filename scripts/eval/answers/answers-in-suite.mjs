import { join } from 'node:path';
import { answered } from './answered.mjs';
import { bestSentences } from './best-by-bm25.mjs';
import { openCorpus, readCorpus } from './corpus.mjs';
import { confidenceFigures, confidenceOf } from './confidence.mjs';
import { citedSource, holdsAnswer } from './judge-answer.mjs';
import { askedQuestions } from '../asked-questions.mjs';
import { draw } from '../draw.mjs';
import { share } from '../shares.mjs';

/** Answers to the questions of a collection, or of the file `asked`: whether they are given where there is an answer, and what they cite first. */
export async function answersInSuite({ folder, asked, questions: most, seed, explain, say }) {
  const all = askedQuestions(folder, asked);
  const records = explain === undefined ? draw(all, most, seed) : all.filter(({ id }) => id === explain);
  const sources = await readCorpus(join(folder, 'sources.jsonl'));
  const corpus = openCorpus(sources);
  const byBm25 = bestSentences(sources);
  const judged = [];
  for (const record of records) {
    const retrieved = await corpus.retrieve(record.question);
    const output = await answered(record.question, retrieved);
    const { sentences, markdown, missing } = output;
    if (explain !== undefined)
      say(`${record.question} (${retrieved.answerable})\n\n${markdown}\n\n${missing ?? ''}`);
    const claims = sentences.filter(({ isClaim }) => isClaim);
    const of = judgedOf(record, {
      first: citedSource(claims[0], retrieved.passages),
      texts: claims.map(({ plain }) => plain),
    });
    judged.push({ ...of, confidence: confidenceOf(record.question, output, retrieved) });
  }
  const baseline = records.map((record) => {
    const best = byBm25(record.question);
    return judgedOf(record, { first: best[0]?.source, texts: best.map(({ text }) => text) });
  });
  return {
    n: records.length,
    ...figuresOf(judged),
    ...confidenceFigures(judged),
    baseline: figuresOf(baseline),
  };
}

function judgedOf(record, { first, texts }) {
  const isAnswered = texts.length > 0;
  const isFirstRelevant = record.relevant?.includes(first) ?? null;
  return {
    isAnswerable: record.answerable,
    isAnswered,
    /** Null where it is not known which sources answer. */
    isFirstRelevant,
    /** What a confidence is a confidence in. */
    isRight: record.answerable && isAnswered && (isFirstRelevant ?? true),
    holdsAnswer: holdsAnswer(record, texts),
  };
}

function figuresOf(judged) {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const answering = answerable.filter(({ isAnswered }) => isAnswered);
  const unanswerable = judged.filter(({ isAnswerable }) => !isAnswerable);
  const told = answering.filter((one) => one.holdsAnswer !== null);
  const known = answering.filter((one) => one.isFirstRelevant !== null);
  const firstRelevant = known.filter(({ isFirstRelevant }) => isFirstRelevant).length;
  const found = told.filter((one) => one.holdsAnswer).length;
  const anyway = unanswerable.filter(({ isAnswered }) => isAnswered).length;
  return {
    answerable: answerable.length,
    answered: answering.length,
    answeredShare: share(answering.length, answerable.length),
    firstRelevant: share(firstRelevant, known.length),
    ...(told.length > 0 ? { answerFound: share(found, told.length) } : {}),
    unanswerable: unanswerable.length,
    answeredAnyway: anyway,
    answeredAnywayShare: share(anyway, unanswerable.length),
    counts: { firstRelevant, ...(told.length > 0 ? { answerFound: found, withAnswers: told.length } : {}) },
  };
}
