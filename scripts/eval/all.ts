import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, hasDataFolder } from '../data-folder.mjs';
import { stopwatch } from './figures';
import { within } from './records';
import type { Call } from './suite';
import { SUITES } from './suites';

const SEED = 1;
const COLLECTIONS = ['science', 'web', 'encyclopedia', 'reports'];
const overStudies = { sources: [join(dataFolder, 'studies/sources.jsonl')] };

/** A suite on a file or folder of the shared data; its first word names the suite. */
interface Named {
  name: string;
  on: string;
  with?: Partial<Call>;
  /** How many are drawn in the short form; all of them where it is absent. */
  short?: number;
}

const CALLS: readonly Named[] = [
  { name: 'evidence', on: 'studies/questions.jsonl', with: overStudies },
  {
    name: 'evidence --search',
    on: 'studies/questions.jsonl',
    with: { ...overStudies, search: true },
    short: 30,
  },
  { name: 'relevance wikiqa', on: 'relevance/wikiqa-dev.jsonl' },
  { name: 'relevance trecqa', on: 'relevance/trecqa-dev.jsonl' },
  { name: 'open', on: 'relevance/open-dev.jsonl' },
  { name: 'conflicts', on: 'conflicts/ramdocs-dev.jsonl' },
  { name: 'attribution attributionbench', on: 'attribution/attributionbench-dev.jsonl' },
  { name: 'attribution wice', on: 'attribution/wice-dev.jsonl' },
  { name: 'collection science', on: 'collections/science', short: 32 },
  { name: 'collection web', on: 'collections/web', short: 32 },
  { name: 'collection encyclopedia', on: 'collections/encyclopedia', short: 60 },
  { name: 'collection reports', on: 'collections/reports' },
  ...COLLECTIONS.map((folder) => ({
    name: `answers-in ${folder}`,
    on: `collections/${folder}`,
  })),
  {
    name: 'answers-in studies',
    on: 'studies',
    with: { asked: join(__dirname, 'data/study-questions.jsonl') },
  },
];

type Floors = Record<string, { atLeast?: number; atMost?: number }>;

/**
 * One line of JSON for each suite on the shared data. In the short form few questions are drawn, and figures are held against
 * their floors; resolves with the exit code, 1 where one is below.
 */
export async function allSuites({ isShort, say }: { isShort: boolean } & Pick<Call, 'say'>): Promise<number> {
  if (!hasDataFolder) {
    say(`Nothing is measured: there is no data in ${dataFolder}.`);
    return 0;
  }
  // The file is the project's own; a suite without floors has none there.
  const floors = (
    JSON.parse(readFileSync(join(__dirname, 'floors.json'), 'utf8')) as {
      short: Record<string, Floors | undefined>;
    }
  ).short;
  const secondsInAll = stopwatch();
  const failures: string[] = [];
  for (const { name, on, with: values, short } of CALLS) {
    const seconds = stopwatch();
    const drawn = isShort && short !== undefined ? { questions: short } : {};
    const call = { sources: [], seed: SEED, file: join(dataFolder, on), say, ...values, ...drawn };
    const figures = await SUITES[name.split(' ')[0] ?? '']?.measure(call);
    process.stdout.write(`${JSON.stringify({ suite: name, ...figures })}\n`);
    say(`${name}: ${seconds()} s`);
    if (isShort) failures.push(...belowFloors(name, figures, floors[name] ?? {}));
  }
  say(`All suites: ${secondsInAll()} s`);
  for (const failure of failures) say(failure);
  return failures.length === 0 ? 0 : 1;
}

/** A sentence for each figure that is not as good as its floor says; a figure within another one is named with a point. */
function belowFloors(suite: string, figures: unknown, floors: Floors): string[] {
  return Object.entries(floors).flatMap(([figure, { atLeast = -Infinity, atMost = Infinity }]) => {
    const value = within(figures, figure.split('.'));
    if (typeof value === 'number' && value >= atLeast && value <= atMost) return [];
    const floor = atLeast === -Infinity ? `at most ${atMost}` : `at least ${atLeast}`;
    return [`Below its floor: ${suite}, ${figure} is ${String(value ?? 'not told')}; ${floor} is wanted.`];
  });
}
