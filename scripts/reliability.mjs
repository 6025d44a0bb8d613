// `npm run reliability`: what becomes of a report where the model, the store or the server fails, and what it costs. Every run
// is a fresh folder with a server and a worker as separate processes, over the notes in examples/, against a scripted model.
//   npm run reliability -- [--only hang,429] [--every 5,2] [--away 180] [--kills 20] [--limit 30] [--seed 1]
//   npm run reliability -- --flood 3
// `--flood`: instead of these, so often 20,000 signals, 2,000 updates and 500 queries at one run, with 40 runs of all kinds beside it.
// `--away`: seconds for which the endpoint and the store are gone; `--limit`: minutes after which a run counts as not ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';
import { measureRun } from './reliability/measure-fault.mjs';
import { measureKills } from './reliability/measure-kills.mjs';
import { OUTAGES } from './reliability/outages.mjs';
import { FAULT_HEAD, faultRow, KILL_HEAD, killRows } from './reliability/rows.mjs';

const CALL_FAULTS = ['429', '500', 'cut', 'fence', 'think', 'badcite', 'badjson', 'hang', 'empty'];
const say = (line) => process.stderr.write(`${line}\n`);
const print = (line) => process.stdout.write(`${line}\n`);

async function main() {
  const { only, every, awayMs, kills, limitMs, seed, floods } = readOptions();
  await setUp();
  if (floods !== null) return measureFloods(floods);
  say('undisturbed…');
  const undisturbed = await measureRun({ seed, awayMs, limitMs });
  say(`undisturbed: ${undisturbed.status}, ${undisturbed.claims.length} claims, ${undisturbed.asked} calls`);
  if (undisturbed.markdown === null) throw new Error('The undisturbed run left no report');

  const measured = [];
  for (const row of rowsOf(only, every)) {
    say(`${row.name}, ${row.often}…`);
    measured.push(
      faultRow({ ...row, undisturbed, measured: await measureRun({ ...row, seed, awayMs, limitMs }) }),
    );
    say(measured.at(-1));
  }
  if (measured.length > 0) [...FAULT_HEAD, ...measured, ''].forEach(print);
  if (kills === 0) return;
  const killed = await measureKills({ kills, seed, undisturbed, limitMs, say });
  [...KILL_HEAD, ...killRows(killed)].forEach(print);
}

async function measureFloods(times) {
  const script = join(root, 'tests', 'system', 'floods', 'measure-floods.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(times)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

function rowsOf(only, every) {
  const wanted = (name) => only === null || only.includes(name);
  const faults = CALL_FAULTS.filter(wanted).flatMap((fault) =>
    every.map((share) => ({ name: fault, often: `1 call in ${share}`, fault, every: share })),
  );
  const outages = Object.keys(OUTAGES)
    .filter(wanted)
    .map((outage) => ({ name: outage, often: 'once', outage }));
  return [...faults, ...outages];
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      flood: { type: 'string' },
      every: { type: 'string', default: '5,2' },
      away: { type: 'string', default: '180' },
      kills: { type: 'string', default: '20' },
      limit: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
    },
  });
  const names = [...CALL_FAULTS, ...Object.keys(OUTAGES), 'none'];
  const only = values.only?.split(',') ?? null;
  for (const name of only ?? [])
    if (!names.includes(name)) throw new Error(`--only has "${name}"; allowed: ${names.join(', ')}`);
  return {
    only,
    every: values.every.split(',').map((text) => number('every', text, 1)),
    awayMs: number('away', values.away, 1) * 1_000,
    kills: number('kills', values.kills, 0),
    limitMs: number('limit', values.limit, 1) * 60_000,
    seed: number('seed', values.seed, 0),
    floods: values.flood === undefined ? null : number('flood', values.flood, 1),
  };
}

function number(name, text, least) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} is "${text}"; a whole number from ${least} on is allowed`);
  return value;
}

try {
  await main();
} catch (error) {
  say(error.stack ?? String(error));
  process.exitCode = 1;
}
