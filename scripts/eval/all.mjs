import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { dataFolder, hasDataFolder } from '../data-folder.mjs';
import { belowFloors } from './floors.mjs';
import { rounded } from './shares.mjs';
import { SUITES } from './suites.mjs';

const SEED = 1;
const studies = { sources: [join(dataFolder, 'studies/sources.jsonl')] };
const inData = (...path) => join(dataFolder, ...path);

/** Every suite on the shared data; `short` is on how many questions in the short form, all of them where it is absent. */
const CALLS = [
  { name: 'evidence', suite: 'evidence', file: inData('studies/questions.jsonl'), values: studies },
  {
    name: 'evidence --search',
    suite: 'evidence',
    file: inData('studies/questions.jsonl'),
    values: { ...studies, search: true },
    short: 30,
  },
  { name: 'relevance wikiqa', suite: 'relevance', file: inData('relevance/wikiqa-dev.jsonl') },
  { name: 'relevance trecqa', suite: 'relevance', file: inData('relevance/trecqa-dev.jsonl') },
  { name: 'open', suite: 'open', file: inData('relevance/open-dev.jsonl') },
  { name: 'direction', suite: 'direction', file: inData('studies/questions.jsonl'), values: studies },
  { name: 'conflicts', suite: 'conflicts', file: inData('conflicts/ramdocs-dev.jsonl') },
  { name: 'agreement', suite: 'agreement', file: inData('conflicts/ramdocs-dev.jsonl'), values: studies },
  {
    name: 'attribution attributionbench',
    suite: 'attribution',
    file: inData('attribution/attributionbench-dev.jsonl'),
  },
  { name: 'attribution wice', suite: 'attribution', file: inData('attribution/wice-dev.jsonl') },
  {
    name: 'corrupted',
    suite: 'corrupted',
    values: { sources: [inData('studies/sources.jsonl'), inData('answers/scholarqa-dev.jsonl')] },
    short: 200,
  },
  { name: 'reports', suite: 'reports', file: inData('reports/claude37-dev.jsonl') },
  { name: 'collection science', suite: 'collection', file: inData('collections/science'), short: 32 },
  { name: 'collection web', suite: 'collection', file: inData('collections/web'), short: 32 },
  {
    name: 'collection encyclopedia',
    suite: 'collection',
    file: inData('collections/encyclopedia'),
    short: 60,
  },
  { name: 'collection reports', suite: 'collection', file: inData('collections/reports') },
  { name: 'answers', suite: 'answers', file: inData('answers/scholarqa-dev.jsonl') },
  ...['science', 'web', 'encyclopedia', 'reports'].map((folder) => ({
    name: `answers-in ${folder}`,
    suite: 'answers-in',
    file: inData('collections', folder),
  })),
  {
    name: 'answers-in studies',
    suite: 'answers-in',
    file: inData('studies'),
    values: { asked: fileURLToPath(new URL('./data/study-questions.jsonl', import.meta.url)) },
  },
  ...[
    'studies',
    'collections/web',
    'collections/science',
    'collections/encyclopedia',
    'collections/reports',
  ].map((folder) => ({
    name: `judge ${folder.split('/').at(-1)}`,
    suite: 'judge',
    file: inData(folder, 'sources.jsonl'),
    short: 4,
  })),
  {
    name: 'judge --of reports',
    suite: 'judge',
    file: inData('studies/sources.jsonl'),
    values: { of: 'reports' },
    short: 4,
  },
  {
    name: 'judge --of disputes',
    suite: 'judge',
    file: inData('conflicts/ramdocs-dev.jsonl'),
    values: { of: 'disputes' },
    short: 4,
  },
  { name: 'talk', suite: 'talk', file: dataFolder, short: 4 },
  { name: 'answers-studies', suite: 'answers-studies', file: inData('studies') },
  { name: 'briefs', suite: 'briefs', file: dataFolder },
];

/**
 * One line of JSON for each suite. In the short form few questions are drawn, and figures are held against their floors; resolves
 * with the exit code, 1 where one is below.
 */
export async function allSuites({ short = false, say }) {
  if (!hasDataFolder) {
    say(`Nothing is measured: there is no data in ${dataFolder}.`);
    return 0;
  }
  const floors = JSON.parse(readFileSync(new URL('./floors.json', import.meta.url), 'utf8')).short;
  const startedAt = performance.now();
  const failures = [];
  for (const { name, suite, file, values = {}, short: few } of CALLS) {
    const since = performance.now();
    const drawn = short && few !== undefined ? { questions: few, seed: SEED } : {};
    const figures = await SUITES[suite].run(file, { ...values, ...drawn, say });
    process.stdout.write(`${JSON.stringify({ suite: name, ...figures })}\n`);
    say(`${name}: ${rounded((performance.now() - since) / 1000, 1)} s`);
    if (short) failures.push(...belowFloors(name, figures, floors[name] ?? {}));
  }
  say(`All suites: ${rounded((performance.now() - startedAt) / 1000, 1)} s`);
  for (const failure of failures) say(failure);
  return failures.length === 0 ? 0 : 1;
}
