// `npm run bench`: how long a report takes, and what it costs in memory and history. Every round is a fresh folder with a
// server and a worker of its own, as separate processes; the figures are medians over the rounds.
//   npm run bench -- [--runs 3] [--crowds] [--answers] [--throughput] [--growth [--most 50000]] [--write]
// `--crowds` measures runs over very many sources alone, `--answers` answers alone, `--throughput` many runs at once alone,
// `--growth` what grows with the number of sources (which nothing else measures, since it takes long); `--write` puts the
// figures into docs/benchmarks.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { articlesToRead, notesToRead } from './bench/cost-material.mjs';
import { benchmarkDocument, growthIn, withAnswers, withCrowds, withGrowth } from './bench/document.mjs';
import { measureAnswers } from './bench/measure-answers.mjs';
import { measureAnswersByModel } from './bench/measure-answers-by-model.mjs';
import { measureCost } from './bench/measure-cost.mjs';
import { CROWDS, measureCrowd } from './bench/measure-crowds.mjs';
import { GROWTH, measureGrowth } from './bench/measure-growth.mjs';
import { measureRound } from './bench/measure-round.mjs';
import { measureModels } from './bench/measure-models.mjs';
import { measureThroughput } from './bench/measure-throughput.mjs';
import { measureStores } from './bench/measure-stores.mjs';
import { busyShare, describeMachine } from './bench/machine.mjs';
import {
  printAnswers,
  printCrowds,
  printFigures,
  printGrowth,
  printThroughput,
} from './bench/print-figures.mjs';
import { withThroughput } from './bench/throughput-figures.mjs';
import { root } from './checkout.mjs';
import { dataFolder } from './data-folder.mjs';
import { setUp } from './setup.mjs';

const QUESTIONS = {
  studies: 'Which lifestyle interventions improve health outcomes, and by how much?',
  examples: 'Does vitamin D supplementation improve health outcomes, and by how much?',
};
/** One second is usual of a small answer; none shows what is ours. */
const MODEL_LATENCIES_MS = [1_000, 0];
/** What the overhead of an answer is told beside. */
const ANSWER_LATENCY_MS = 500;
const document = join(root, 'docs', 'benchmarks.md');
const say = (line) => process.stderr.write(`${line}\n`);

async function main() {
  const { runs, crowdsAlone, answersAlone, throughputAlone, growthAlone, most, write } = readOptions();
  await setUp();
  const machine = describeMachine();
  const startedAt = new Date();
  const load = busyShare();
  if (crowdsAlone) {
    const crowds = await measureCrowds();
    const figures = { machine, startedAt, othersBusy: load(), crowds };
    printCrowds(figures);
    if (write) writeDocument(withCrowds(readFileSync(document, 'utf8'), figures));
    return;
  }
  if (answersAlone) {
    const answers = await measureAllAnswers();
    const figures = { machine, startedAt, othersBusy: load(), answers };
    printAnswers(figures);
    if (write) writeDocument(withAnswers(readFileSync(document, 'utf8'), figures));
    return;
  }
  if (growthAlone) {
    const question = QUESTIONS.studies;
    const growth = await measureAllGrowth(question, most);
    const figures = { machine, startedAt, othersBusy: load(), question, growth };
    printGrowth(figures);
    if (write) writeDocument(withGrowth(readFileSync(document, 'utf8'), figures));
    return;
  }
  if (throughputAlone) {
    say('many runs at once…');
    const throughput = await measureThroughput();
    const figures = { machine, startedAt, othersBusy: load(), throughput };
    printThroughput(figures);
    if (write) writeDocument(withThroughput(readFileSync(document, 'utf8'), figures));
    return;
  }
  const materials = findMaterials();
  const measured = [];
  for (const material of materials) {
    const rounds = [];
    for (let round = 1; round <= runs; round += 1) {
      say(`${material.name}: round ${round} of ${runs}…`);
      rounds.push(await measureRound(material));
    }
    measured.push({ ...material, rounds });
  }
  say('stores…');
  const stores = await measureStores(materials[0].path);
  const models = [];
  for (const latencyMs of MODEL_LATENCIES_MS) {
    say(`a model that answers after ${latencyMs} ms…`);
    models.push(await measureModels(latencyMs));
  }
  const costs = [];
  for (const material of [articlesToRead(), notesToRead()].filter((found) => found !== null)) {
    say(`what a model is sent: ${material.name}…`);
    costs.push(await measureCost(material));
  }
  const crowds = await measureCrowds();
  const answers = await measureAllAnswers();
  say('many runs at once…');
  const throughput = await measureThroughput();
  const othersBusy = load();
  const measurements = { measured, stores, models, costs, crowds, answers, throughput };
  const figures = { machine, startedAt, othersBusy, runs, ...measurements };

  printFigures(figures);
  // What takes too long to be measured with the rest stands as it is.
  const growthPart = existsSync(document) ? growthIn(readFileSync(document, 'utf8')) : '';
  if (write) writeDocument(benchmarkDocument({ ...figures, growthPart }));
}

async function measureAllGrowth(question, most) {
  const studies = join(dataFolder, 'studies', 'sources.jsonl');
  if (!existsSync(studies))
    throw new Error(
      `The studies that the documents are made of are not at ${studies} (COLLIGATE_DATA names another folder).`,
    );
  const growth = [];
  for (const count of GROWTH.filter((size) => size <= most)) {
    say(`${count} sources…`);
    growth.push(await measureGrowth({ studies, question, count }));
  }
  return growth;
}

async function measureCrowds() {
  const crowds = [];
  for (const crowd of CROWDS) {
    say(`${crowd.title}…`);
    crowds.push(await measureCrowd(crowd));
  }
  return crowds;
}

async function measureAllAnswers() {
  const sources = join(dataFolder, 'studies', 'sources.jsonl');
  const questions = join(dataFolder, 'studies', 'questions.jsonl');
  const areThere = existsSync(sources) && existsSync(questions);
  say(areThere ? 'answers over the studies…' : `no answers over the studies: they are not at ${sources}`);
  const overStudies = areThere ? await measureAnswers({ sources, questions }) : null;
  say(`answers by a model that takes ${ANSWER_LATENCY_MS} ms…`);
  const answers = await measureAnswersByModel(ANSWER_LATENCY_MS);
  return { overStudies, byModel: { latencyMs: ANSWER_LATENCY_MS, answers } };
}

function writeDocument(text) {
  mkdirSync(dirname(document), { recursive: true });
  writeFileSync(document, text);
  say(`Written to ${relative(process.cwd(), document)}`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '3' },
      crowds: { type: 'boolean', default: false },
      answers: { type: 'boolean', default: false },
      throughput: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      most: { type: 'string', default: '50000' },
      write: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs is "${values.runs}"; a number from 1 on is allowed`);
  const most = Number(values.most);
  if (!Number.isInteger(most) || most < GROWTH[0])
    throw new Error(`--most is "${values.most}"; a number from ${GROWTH[0]} on is allowed`);
  const { crowds, answers, throughput, growth, write } = values;
  return {
    runs,
    crowdsAlone: crowds,
    answersAlone: answers,
    throughputAlone: throughput,
    growthAlone: growth,
    most,
    write,
  };
}

/** The 500 studies where they are, and the notes that come with the project. */
function findMaterials() {
  const examples = {
    name: 'examples',
    path: join(root, 'examples', 'vitamin-d'),
    question: QUESTIONS.examples,
  };
  const path = join(dataFolder, 'studies', 'sources.jsonl');
  if (existsSync(path)) return [{ name: 'studies', path, question: QUESTIONS.studies }, examples];
  say(
    `The 500 studies are not at ${path} (COLLIGATE_DATA names another folder). ` +
      'What follows is measured on examples/ alone: it says nothing about the targets.',
  );
  return [examples];
}

try {
  await main();
} catch (error) {
  say(error.stack ?? String(error));
  process.exitCode = 1;
}
