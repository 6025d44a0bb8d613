import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../checkout.mjs';
import { dataFolder } from '../data-folder.mjs';
import {
  answersPart,
  benchmarkDocument,
  crowdsPart,
  followersPart,
  growthPart,
  pagesPart,
  partIn,
  throughputPart,
  withPart,
  type AnswerFigures,
  type Crowd,
  type GrowthFigures,
  type Part,
  type Taken,
} from './document';
import { measureAnswers } from './measure-answers';
import { measureFollowers } from './measure-followers';
import {
  measureAnswersByModel,
  measureCost,
  measureModels,
  measureThroughput,
  notesToRead,
  readLines,
  type CostMaterial,
  type ThroughputFigures,
} from './measure-models';
import { CROWDS, GROWTH, measureCrowd, measureGrowth, measureRound, type Round } from './measure-runs';
import { measurePages, PAGE_COUNTS, type PagesFigures } from './measure-pages';
import { measureStores } from './measure-stores';
import { busyShare, describeMachine } from './processes';

const QUESTIONS = {
  studies: 'Which lifestyle interventions improve health outcomes, and by how much?',
  examples: 'Does vitamin D supplementation improve health outcomes, and by how much?',
};
/** One second is usual of a small answer; none shows what is ours. */
const MODEL_LATENCIES_MS = [1_000, 0];
/** What the overhead of an answer is told beside. */
const ANSWER_LATENCY_MS = 500;
const ARTICLES = 60;
const STUDIES = join(dataFolder, 'studies', 'sources.jsonl');
const DOCUMENT = join(root, 'docs', 'benchmarks.md');
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const OPTIONS = {
  runs: { type: 'string', default: '3' },
  crowds: { type: 'boolean', default: false },
  answers: { type: 'boolean', default: false },
  throughput: { type: 'boolean', default: false },
  growth: { type: 'boolean', default: false },
  pages: { type: 'boolean', default: false },
  followers: { type: 'boolean', default: false },
  most: { type: 'string', default: '50000' },
  write: { type: 'boolean', default: false },
} as const;

/** What can be measured alone: each gives its part of the document. */
const ALONE: Record<
  Exclude<Part, 'starting'>,
  (bounds: { most: number; runs: number }) => Promise<(taken: Taken) => string>
> = {
  crowds: async () => {
    const crowds = await measureCrowds();
    return (taken) => crowdsPart(crowds, taken);
  },
  answers: async () => {
    const answers = await measureAllAnswers();
    return (taken) => answersPart(answers, taken);
  },
  growth: async ({ most }) => {
    const growth = await measureAllGrowth(most);
    return (taken) => growthPart(growth, taken);
  },
  pages: async ({ most, runs }) => {
    const pages: PagesFigures[] = [];
    for (const count of PAGE_COUNTS.filter((size) => size <= most)) {
      say(`${count} pages…`);
      pages.push(await measurePages(count, count === PAGE_COUNTS[0] ? runs : 1));
    }
    return (taken) => pagesPart(pages, taken);
  },
  followers: async () => {
    say('followers…');
    const followers = await measureFollowers();
    return (taken) => followersPart(followers, taken);
  },
  throughput: async () => {
    const throughput = await measureRunsAtOnce();
    return () => throughputPart(throughput);
  },
};

/** Measures what the command line asks for, prints it as the document has it, and writes it there where that is asked. */
export async function bench(args: readonly string[]): Promise<number> {
  try {
    const values = valuesOf(args);
    const runs = countOf('runs', values.runs, 1);
    const most = countOf('most', values.most, GROWTH[0] ?? 1);
    const [machine, startedAt, load] = [describeMachine(), new Date(), busyShare()];
    const document = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
    const part = (['crowds', 'answers', 'growth', 'pages', 'followers', 'throughput'] as const).find(
      (name) => values[name],
    );
    const told = part === undefined ? await measureAll(runs, document) : await ALONE[part]({ most, runs });
    const text = told({ machine, startedAt, othersBusy: load() });
    process.stdout.write(text);
    if (values.write) {
      writeFileSync(DOCUMENT, part === undefined ? text : withPart(document, part, text));
      say(`Written to ${relative(process.cwd(), DOCUMENT)}`);
    }
    return 0;
  } catch (error) {
    if (error instanceof MistakenCall) say(error.message);
    else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

/** What is wrong with how it was called. */
class MistakenCall extends Error {}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new MistakenCall(
      `${error instanceof Error ? error.message : String(error)}. There are: ${names.join(', ')}`,
    );
  }
}

function countOf(name: string, value: string, from: number): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= from) return count;
  throw new MistakenCall(`--${name} is "${value}"; a number from ${from} on is allowed`);
}

async function measureAll(runs: number, document: string): Promise<(taken: Taken) => string> {
  const examples = {
    name: 'examples',
    path: join(root, 'examples', 'vitamin-d'),
    question: QUESTIONS.examples,
  };
  const areThere = existsSync(STUDIES);
  const studies = { name: 'studies', path: STUDIES, question: QUESTIONS.studies };
  if (!areThere)
    say(
      `The 500 studies are not at ${STUDIES} (COLLIGATE_DATA names another folder). ` +
        'What follows is measured on examples/ alone: it says nothing about the targets.',
    );
  const measured = [];
  for (const material of areThere ? [studies, examples] : [examples]) {
    const rounds: Round[] = [];
    for (let round = 1; round <= runs; round += 1) {
      say(`${material.name}: round ${round} of ${runs}…`);
      rounds.push(await measureRound(material));
    }
    const peaks = new Set(rounds.map(({ first }) => first.peakDuring.join(' + ') || 'no activity'));
    say(`Memory was at its peak during: ${[...peaks].join('; ')}`);
    measured.push({ ...material, rounds });
  }
  say('stores…');
  const stores = await measureStores(areThere ? STUDIES : examples.path);
  const models = [];
  for (const latencyMs of MODEL_LATENCIES_MS) {
    say(`a model that answers after ${latencyMs} ms…`);
    models.push(await measureModels(latencyMs));
  }
  const articles = (): CostMaterial => ({
    name: 'articles',
    question: QUESTIONS.studies,
    sources: readLines(STUDIES, ARTICLES),
    changes: [],
  });
  const costs = [];
  for (const material of [...(areThere ? [articles()] : []), notesToRead(QUESTIONS.examples)]) {
    say(`what a model is sent: ${material.name}…`);
    costs.push(await measureCost(material));
  }
  const crowds = await measureCrowds();
  const answers = await measureAllAnswers();
  const throughput = await measureRunsAtOnce();
  const [growth, pages] = [partIn(document, 'growth'), partIn(document, 'pages')];
  const followers = partIn(document, 'followers');
  const figures = {
    runs,
    measured,
    stores,
    models,
    costs,
    crowds,
    answers,
    throughput,
    growth,
    pages,
    followers,
  };
  return (taken) => benchmarkDocument(figures, taken);
}

function measureRunsAtOnce(): Promise<ThroughputFigures> {
  say('many runs at once…');
  return measureThroughput();
}

async function measureAllGrowth(most: number): Promise<GrowthFigures> {
  if (!existsSync(STUDIES))
    throw new Error(
      `The studies that the documents are made of are not at ${STUDIES} (COLLIGATE_DATA names another folder).`,
    );
  const growth = [];
  for (const count of GROWTH.filter((size) => size <= most)) {
    say(`${count} sources…`);
    growth.push(await measureGrowth({ studies: STUDIES, question: QUESTIONS.studies, count }));
  }
  return { question: QUESTIONS.studies, growth };
}

async function measureCrowds(): Promise<Crowd[]> {
  const crowds = [];
  for (const crowd of CROWDS) {
    say(`${crowd.title}…`);
    crowds.push({ title: crowd.title, run: await measureCrowd(crowd) });
  }
  return crowds;
}

async function measureAllAnswers(): Promise<AnswerFigures> {
  const questions = join(dataFolder, 'studies', 'questions.jsonl');
  const areThere = existsSync(STUDIES) && existsSync(questions);
  say(areThere ? 'answers over the studies…' : `no answers over the studies: they are not at ${STUDIES}`);
  const overStudies = areThere ? await measureAnswers({ sources: STUDIES, questions }) : null;
  say(`answers by a model that takes ${ANSWER_LATENCY_MS} ms…`);
  const answers = await measureAnswersByModel(ANSWER_LATENCY_MS);
  return { overStudies, byModel: { latencyMs: ANSWER_LATENCY_MS, answers } };
}
