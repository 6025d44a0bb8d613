import { join } from 'node:path';
import { answered } from './answered.mjs';
import { bestSentences } from './best-by-bm25.mjs';
import { openCorpus, readCorpus } from './corpus.mjs';
import { citedSource, holdsAnswer } from './judge-answer.mjs';
import { draw } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';
import { share } from '../shares.mjs';

const QUESTION = { id: 'text', question: 'text', relevant: 'list' };

/** Answers to the questions of a collection: whether they are given where there is an answer, and what they cite first. */
export async function answersInSuite({ folder, questions: most, seed, explain, say }) {
  const all = readRecords(join(folder, 'questions.jsonl'), QUESTION);
  const records = explain === undefined ? draw(all, most, seed) : all.filter(({ id }) => id === explain);
  const sources = await readCorpus(join(folder, 'sources.jsonl'));
  const corpus = openCorpus(sources);
  const byBm25 = bestSentences(sources);
  const judged = records.map((record) => {
    const retrieved = corpus.retrieve(record.question);
    const { sentences, markdown, missing } = answered(record.question, retrieved);
    if (explain !== undefined)
      say(`${record.question} (${retrieved.answerable})\n\n${markdown}\n\n${missing ?? ''}`);
    const claims = sentences.filter(({ isClaim }) => isClaim);
    return judgedOf(record, {
      first: citedSource(claims[0], retrieved.passages),
      texts: claims.map(({ plain }) => plain),
    });
  });
  const baseline = records.map((record) => {
    const best = byBm25(record.question);
    return judgedOf(record, { first: best[0]?.source, texts: best.map(({ text }) => text) });
  });
  return { n: records.length, ...figuresOf(judged), baseline: figuresOf(baseline) };
}

function judgedOf(record, { first, texts }) {
  return {
    isAnswerable: record.relevant.length > 0,
    isAnswered: texts.length > 0,
    isFirstRelevant: record.relevant.includes(first),
    holdsAnswer: holdsAnswer(record, texts),
  };
}

function figuresOf(judged) {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const answering = answerable.filter(({ isAnswered }) => isAnswered);
  const unanswerable = judged.filter(({ isAnswerable }) => !isAnswerable);
  const told = answering.filter((one) => one.holdsAnswer !== null);
  const firstRelevant = answering.filter(({ isFirstRelevant }) => isFirstRelevant).length;
  const found = told.filter((one) => one.holdsAnswer).length;
  const anyway = unanswerable.filter(({ isAnswered }) => isAnswered).length;
  return {
    answerable: answerable.length,
    answered: answering.length,
    answeredShare: share(answering.length, answerable.length),
    firstRelevant: share(firstRelevant, answering.length),
    ...(told.length > 0 ? { answerFound: share(found, told.length) } : {}),
    unanswerable: unanswerable.length,
    answeredAnyway: anyway,
    answeredAnywayShare: share(anyway, unanswerable.length),
    counts: { firstRelevant, ...(told.length > 0 ? { answerFound: found, withAnswers: told.length } : {}) },
  };
}
