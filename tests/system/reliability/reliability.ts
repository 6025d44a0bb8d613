import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Report } from '../../../src/contracts/report/report';
import { FAULTS, type Fault } from '../../model-server/faulty-model';
import {
  carryOut,
  closedOnSignals,
  markdownTable,
  numberOption,
  print,
  say,
} from '../../support/kills/measuring-script';
import type { ModelCall } from '../../support/kills/watched-model';
import { randomFrom } from '../../support/random';
import { openProject, OUTAGES, RUN_ID, type Outage } from './project';

/** What goes wrong in a run: of so many calls one, or something is away for a time. Nothing where both are absent. */
interface Row {
  fault?: Fault;
  every?: number;
  outage?: Outage;
}

/** What became of a run, and what it has asked. */
interface Measured {
  status: string;
  markdown: string | null;
  /** What each claim says and rests on, whatever its number. */
  claims: string[];
  calls: readonly ModelCall[];
  /** The answers that had left whole and were asked for again. */
  repeated: ModelCall[];
  seconds: number;
}

interface Options {
  rows: Row[];
  kills: number;
  seed: number;
  awayMs: number;
  /** When a run counts as not ended. */
  limitMs: number;
}

async function main(): Promise<boolean> {
  const options = readOptions();
  say('undisturbed…');
  const undisturbed = await measure({}, options);
  say(
    `undisturbed: ${undisturbed.status}, ${undisturbed.claims.length} claims, ${undisturbed.calls.length} calls`,
  );
  if (undisturbed.markdown === null) throw new Error('The undisturbed run left no report');
  const rows: (string | number)[][] = [];
  for (const row of options.rows) {
    const name = row.fault ?? row.outage ?? '';
    const often = row.every === undefined ? 'once' : `1 call in ${row.every}`;
    say(`${name}, ${often}…`);
    const cells = [name, often, ...faultCells(await measure(row, options), undisturbed)];
    rows.push(cells);
    say(cells.join(' | '));
  }
  if (rows.length > 0) [...markdownTable(FAULT_HEAD, rows), ''].forEach(print);
  if (options.kills > 0) (await measureKills(undisturbed, options)).forEach(print);
  return true;
}

/** A run beside `dev` whose calls or surroundings fail. */
async function measure(
  { fault, every = 1, outage }: Row,
  { seed, awayMs, limitMs }: Options,
): Promise<Measured> {
  const random = randomFrom(seed);
  const project = await closedOnSignals(
    openProject((good) => (fault !== undefined && random() < 1 / every ? FAULTS[fault](good()) : null)),
  );
  try {
    const worker = await project.serve('dev');
    const startedAt = performance.now();
    const report = project.report();
    // A run may end before its outage does.
    if (outage !== undefined) OUTAGES[outage](project, { worker, awayMs }).catch(() => undefined);
    const ended = await within(limitMs, report.ended);
    const left = project.written();
    return {
      status: ended === null ? 'not ended' : (left?.report.status ?? `no report (exit ${ended.code})`),
      markdown: left?.markdown ?? null,
      claims: left === null ? [] : claimsOf(left.report),
      ...asked(project.model.calls),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await project.close();
  }
}

const FAULT_HEAD = [
  ...['what fails', 'how often', 'status', 'claims of the undisturbed run', 'other claims'],
  ...['calls (undisturbed)', 'finished calls repeated', 'time'],
];

function faultCells(measured: Measured, undisturbed: Measured): (string | number)[] {
  const known = new Set(undisturbed.claims);
  const same = measured.claims.filter((claim) => known.has(claim)).length;
  return [
    measured.status,
    `${same} of ${known.size}`,
    measured.claims.length - same,
    `${measured.calls.length} (${undisturbed.calls.length})`,
    measured.repeated.length,
    `${measured.seconds.toFixed(0)} s`,
  ];
}

/** Worker and server in turn, at moments within the time that the undisturbed run took, which the seed chooses. */
async function measureKills(undisturbed: Measured, { kills, seed, limitMs }: Options): Promise<string[]> {
  const random = randomFrom(seed);
  const measured: { what: string; isSame: boolean; calls: readonly ModelCall[]; lostMs: number[] }[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const what = kill % 2 === 1 ? 'worker' : 'server';
    const afterMs = Math.round(random() * undisturbed.seconds * 1_000);
    const { markdown, calls, lostMs } = await measureKill(what, { afterMs, limitMs });
    const isSame = markdown === undisturbed.markdown;
    measured.push({ what, isSame, calls, lostMs });
    say(
      `kill ${kill} (${what} after ${afterMs} ms): ${isSame ? 'same bytes' : 'OTHER BYTES'}, ${lostMs.length} repeated ${lostMs.map((ms) => `(answered ${ms} ms before)`).join(' ')}`,
    );
  }
  const rows = ['worker', 'server'].map((what) => {
    const of = measured.filter((one) => one.what === what);
    const lostMs = of.flatMap((one) => one.lostMs);
    const unfinished = of.flatMap(({ calls }) => calls.filter(({ answeredAt }) => answeredAt === null));
    const same = of.filter(({ isSame }) => isSame).length;
    return [what, of.length, same, unfinished.length, lostMs.length, `${Math.max(0, ...lostMs)} ms`];
  });
  return markdownTable(
    [
      ...['killed', 'times', 'same bytes', 'calls that were cut off', 'finished calls repeated'],
      'answered at most before the kill',
    ],
    rows,
  );
}

/** `lostMs`: how long before the kill each answer had left that was asked for again. */
async function measureKill(
  what: 'worker' | 'server',
  { afterMs, limitMs }: { afterMs: number; limitMs: number },
): Promise<{ markdown: string | null; calls: readonly ModelCall[]; lostMs: number[] }> {
  const project = await closedOnSignals(openProject());
  try {
    await project.serve('server');
    const worker = await project.serve('worker');
    const startedAt = performance.now();
    await project.report('--detach').ended;
    const watch = project.command('watch', RUN_ID, '--json', '--out', 'reports');
    await delay(Math.max(0, afterMs - (performance.now() - startedAt)));
    const killedAt = Date.now();
    if (what === 'server') await project.killServer();
    else {
      await worker.kill();
      await project.serve('worker');
    }
    await within(limitMs, watch.ended);
    const { calls, repeated } = asked(project.model.calls);
    const lostMs = repeated.map(({ answeredAt }) => killedAt - (answeredAt ?? killedAt));
    return { markdown: project.written()?.markdown ?? null, calls, lostMs };
  } finally {
    await project.close();
  }
}

function asked(calls: readonly ModelCall[]): Pick<Measured, 'calls' | 'repeated'> {
  return { calls: [...calls], repeated: calls.flatMap(({ repeats }) => repeats ?? []) };
}

function claimsOf({ claims }: Report): string[] {
  return claims.map(({ text, evidence }) =>
    JSON.stringify([text.replace(/\[\d+\]/g, '[]'), evidence.map(({ quote }) => quote)]),
  );
}

/** What the promise resolves to, or null where that takes longer. */
function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value | null> {
  return Promise.race([promise, delay(limitMs, null, { ref: false })]);
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      every: { type: 'string', default: '5,2' },
      away: { type: 'string', default: '180' },
      kills: { type: 'string', default: '20' },
      limit: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
    },
  });
  const faults = (Object.keys(FAULTS) as Fault[]).filter((name) => name !== '429-date');
  const outages = Object.keys(OUTAGES) as Outage[]; // an object's keys are its own
  const names: string[] = [...faults, ...outages, 'none'];
  const only = values.only?.split(',') ?? names;
  for (const name of only)
    if (!names.includes(name)) throw new Error(`--only has "${name}"; allowed: ${names.join(', ')}`);
  const every = values.every.split(',').map((text) => numberOption('every', text, 1));
  const isWanted = (name: string): boolean => only.includes(name);
  return {
    rows: [
      ...faults.filter(isWanted).flatMap((fault) => every.map((share) => ({ fault, every: share }))),
      ...outages.filter(isWanted).map((outage) => ({ outage })),
    ],
    awayMs: numberOption('away', values.away, 1) * 1_000,
    kills: numberOption('kills', values.kills, 0),
    limitMs: numberOption('limit', values.limit, 1) * 60_000,
    seed: numberOption('seed', values.seed, 0),
  };
}

carryOut(main);
