import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Brief, BriefHandle } from '../../../src/client';
import type { Hold } from '../../support/kills/hold';
import {
  openKillBench,
  SHORT_HEARTBEATS,
  type HoldingWorker,
  type KillBench,
} from '../../support/kills/kill-bench';
import { QUESTION } from './brief-bench';
import { comparableBrief } from './comparable-brief';

const ROOT = join(__dirname, '../../..');
/** Notes with links, a subtopic each. */
const SUBTOPICS = join(ROOT, 'examples/hubble-constant');

/** What goes on in a brief when something is killed, by the activity that is under way. */
const POINTS = [
  ['gathered', 'gatherBrief', { at: 'stored' }],
  ['written', 'writeBriefPart', { at: 'asked', step: 'write-brief-part' }],
  ['judged', 'judgeVersion', { at: 'recorded', event: 'judge' }],
] as const satisfies [string, string, object][];

const KILLED = ['worker', 'server'] as const;
const ATTACHED: Hold = { runId: 'client', at: 'asked', step: 'write-brief-part' };

let bench: KillBench;
let calm: unknown;
let survivor: HoldingWorker;

beforeAll(async () => {
  bench = await openKillBench();
  const holdsOf = (killed: (typeof KILLED)[number]): Hold[] =>
    POINTS.map(([point, , hold]) => ({ runId: `${killed}-${point}`, ...hold }));

  const first = await bench.startHoldingWorker(holdsOf('worker'));
  for (const { runId } of holdsOf('worker')) await start(runId);
  for (const hold of holdsOf('worker')) await first.holds(hold);
  await first.kill();
  for (const [point, activity] of POINTS)
    expect(await bench.pending(`worker-${point}`)).toMatchObject([{ type: activity, pid: first.pid }]);

  survivor = await bench.startHoldingWorker([...holdsOf('server'), ATTACHED]);
  for (const { runId } of holdsOf('server')) await start(runId);
  for (const hold of holdsOf('server')) await survivor.holds(hold);
  await bench.server.kill();
  // What is held is finished while nobody is there to be told.
  survivor.letGo();
  await bench.server.restart();
  await start('calm');
  calm = comparableBrief(await finished('calm'));
});
afterAll(() => bench.close());

const AS_OF = '2026-01-01T00:00:00.000Z';

async function start(runId: string, asOf = AS_OF): Promise<BriefHandle> {
  const { run } = await bench.colligate.startBrief({
    runId,
    question: QUESTION,
    subtopics: { paths: [SUBTOPICS] },
    asOf,
    outages: SHORT_HEARTBEATS,
    searchAttributes: true,
  });
  return run;
}

const finished = (runId: string): Promise<Brief> =>
  bench.colligate.briefOf(runId).brief({ signal: AbortSignal.timeout(200_000) });

/** The keys of what a run has told; each is there once. */
async function keysOf(runId: string): Promise<string[]> {
  const events = await bench.stores.events.read(runId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  return events.map(({ key }) => key).sort();
}

describe.each(KILLED)('a brief whose %s is killed', (killed) => {
  test.each(POINTS.map(([point]) => point))('while it is %s is the same to the byte', async (point) => {
    const runId = `${killed}-${point}`;
    expect(comparableBrief(await finished(runId))).toEqual(calm);
    expect(await keysOf(runId)).toEqual(await keysOf('calm'));
    expect(await bench.executions(runId)).toEqual(['COMPLETED']);
  });
});

test('a brief whose command is killed goes on; the same id follows it to its end, and is refused behind it', async () => {
  const asked = ['brief', QUESTION, '--subtopics', SUBTOPICS, '--id', 'client'];
  const killed = bench.command(...asked);
  await killed.said(/Run client: /);
  await killed.kill();

  const attached = bench.command(...asked);
  await attached.said(/Run client is running already/);
  await survivor.holds(ATTACHED);
  survivor.letGo();
  expect((await attached.ended).code).toBe(0);
  const brief = await finished('client');
  await start('calm-now', brief.provenance.asOf);
  expect(comparableBrief(brief)).toEqual(comparableBrief(await finished('calm-now')));
  expect(await readFile(join(bench.folder, 'reports/client/report.md'), 'utf8')).toBe(brief.markdown);
  expect(await bench.executions('client')).toEqual(['COMPLETED']);

  const again = await bench.command(...asked).ended;
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('Run "client" has ended already');
});
