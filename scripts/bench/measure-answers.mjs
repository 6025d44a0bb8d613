// Answers from the call to the reply, as a program asks for them: over an opened corpus, through a server, by a worker that is
// a process of its own. The index is made by the first question; every question is another one.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { draw } from '../eval/draw.mjs';
import { plainQuestion } from '../eval/plain-question.mjs';
import { readLines } from './cost-material.mjs';
import { busyMs, historyFigures } from './history-figures.mjs';
import { withWorker } from './measure-round.mjs';
import { busyShare } from './machine.mjs';

const require = createRequire(import.meta.url);
const { createColligateClient } = require(join(root, 'dist', 'client.js'));

const SEED = 14;
/** Asked before what is measured, so that what a worker compiles is compiled. */
const WARMING = 10;
const ALONE = 40;
const AT_ONCE = 20;

export function measureAnswers({ sources, questions: file }) {
  return withWorker(async ({ session, config }) => {
    const { client, content, events } = session;
    const { taskQueue } = config.temporal;
    const colligate = createColligateClient({ client, taskQueue, content, events });
    const corpus = await colligate.openCorpus({ paths: [sources] });
    const ask = async (question) => {
      const since = performance.now();
      const answer = await colligate.answer({ question, corpus });
      return { ms: performance.now() - since, answer };
    };
    const questions = drawnQuestions(file);
    const cold = await ask(questions.shift());
    for (const question of questions.splice(0, WARMING)) await ask(question);
    const load = busyShare();
    const alone = [];
    for (const question of questions.splice(0, ALONE)) alone.push(await ask(question));
    const busyAlone = load();
    const since = performance.now();
    const together = await Promise.all(questions.splice(0, AT_ONCE).map(ask));
    const togetherMs = performance.now() - since;
    const histories = [];
    for (const { answer } of alone) {
      const history = historyFigures(await client.workflow.getHandle(answer.requestId).fetchHistory());
      histories.push({ ...history, busyMs: busyMs(history.activities) });
    }
    return {
      sources: corpus.count,
      coldMs: cold.ms,
      alone: alone.map(({ ms }) => ms),
      together: together.map(({ ms }) => ms),
      togetherMs,
      answered: [...alone, ...together].filter(({ answer }) => answer.outcome === 'answered').length,
      busyAlone,
      histories,
    };
  });
}

function drawnQuestions(file) {
  const texts = readLines(file).map((record) => plainQuestion(record));
  return draw([...new Set(texts)], 1 + WARMING + ALONE + AT_ONCE, SEED);
}
