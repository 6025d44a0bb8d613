import { closedOnSignals, markdownTable, print, say } from '../../support/kills/measuring-script';
import { flood, KINDS, leftOf, openFloodStand, startBeside, type Flood, type Left } from './flood';

/** `npm run test:long -- reliability -- --flood 3`: the long form of the flood, so many times on one worker, as rows of Markdown. */
const SIZE = {
  badSignals: 10_000,
  goodSignals: 10_000,
  switches: 0,
  updates: 2_000,
  queries: 500,
  runsBeside: 40,
};

export async function measureFloods(times: number): Promise<boolean> {
  const stand = await closedOnSignals(openFloodStand());
  try {
    const calm = new Map<string, Left>();
    for (const kind of KINDS) {
      await startBeside(stand, kind, `calm-${kind}`);
      calm.set(kind, await leftOf(stand, kind, `calm-${kind}`));
    }
    const rows: (string | number)[][] = [];
    let isWell = true;
    for (let n = 1; n <= times; n += 1) {
      const since = Date.now();
      const seen = await flood(stand, `flood-${n}`, SIZE);
      const same = seen.beside.filter(({ kind, left }) => left.markdown === calm.get(kind)?.markdown).length;
      const foreign = [...seen.beside.flatMap(({ left }) => left.foreign), ...seen.flooded.foreign];
      const seconds = (Date.now() - since) / 1_000;
      const cells = row(n, seen, { same, foreign: foreign.length, seconds });
      say(cells.join(' | '));
      rows.push(cells);
      for (const one of foreign.slice(0, 5)) say(`foreign: ${one}`);
      isWell &&= same === SIZE.runsBeside && foreign.length === 0 && stand.worker.child.exitCode === null;
    }
    markdownTable(HEAD, rows).forEach(print);
    return isWell;
  } finally {
    await stand.close();
  }
}

const HEAD = [
  ...['round', 'same bytes', 'foreign events', 'flooded run'],
  ...['signals not taken by the server / refused / ignored', 'applied', 'slowest update', 'queries'],
  ...['largest history', 'event log', 'worker, MB before / peak / after', 'seconds'],
];

function row(
  n: number,
  seen: Flood,
  found: { same: number; foreign: number; seconds: number },
): (string | number)[] {
  const { notTaken, idleSignals, applied, memoryMb } = seen;
  const kB = (bytes: number): string => `${Math.round(bytes / 1_000)} kB`;
  return [
    n,
    `${found.same} of ${seen.beside.length}`,
    found.foreign,
    seen.flooded.status,
    `${notTaken} / ${idleSignals.refused} / ${idleSignals.ignored}`,
    Object.entries(applied)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
    `${(seen.slowestUpdateMs / 1_000).toFixed(1)} s`,
    `${seen.queriesAnswered} of ${SIZE.queries}`,
    `${kB(seen.historyBytes)} of ${seen.histories}`,
    kB(seen.eventLogBytes),
    `${memoryMb.before} / ${memoryMb.peak} / ${memoryMb.after}`,
    Math.round(found.seconds),
  ];
}
