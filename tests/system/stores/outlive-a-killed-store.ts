import type { Firing, Report, ScheduleHandle } from '../../../src/client';
import { briefStepOf } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { pendingActivities } from '../../support/pending-activities';
import { comparableBrief } from '../briefs/comparable-brief';
import { comparable } from '../durability/run-log';
import { closedFirings, endedFirings, newNotesFolder, type NotesFolder } from '../schedules/schedule-bench';
import type { StoreServer } from './store-servers';
import { openStoreBench, toldBy, type Installation, type StoreBench } from './store-bench';

/** What a run left, and what it told. */
interface Left {
  result: unknown;
  told: string[];
}

/** What is true of runs whose stores, or a part of them, are on a server that is killed and started again. */
export function outliveAKilledStore(startStore: () => Promise<StoreServer>): void {
  let bench: StoreBench;
  let calm: { report: Left; brief: Left };
  let disturbed: Installation | null = null;

  beforeAll(async () => {
    bench = await openStoreBench(startStore);
    const undisturbed = await bench.install('calm', false);
    calm = { report: await report(undisturbed, 'report'), brief: await brief(undisturbed, 'brief') };
    await undisturbed.close();
  });
  afterEach(async () => {
    await disturbed?.close();
    disturbed = null;
  });
  afterAll(() => bench.close());

  async function report(installation: Installation, runId: string): Promise<Left> {
    const { run } = await installation.colligate.startReport({ ...installation.report, runId });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const stored = await run.report();
    if (stored === null) throw new Error('the run must have stored a report');
    return { result: comparable(stored), told: await toldBy(installation, runId) };
  }

  async function brief(installation: Installation, runId: string): Promise<Left> {
    const { run } = await installation.colligate.startBrief({ ...installation.brief, runId });
    return { result: comparableBrief(await run.brief()), told: await toldBy(installation, runId) };
  }

  const waits = async (runId: string): Promise<boolean> => {
    if (disturbed === null) return false;
    const { status, waiting } = await disturbed.colligate.run(runId).progress();
    return status === 'waiting' && waiting?.what === 'the store';
  };

  /** A model is about to answer when the server ends; its answer comes while the server is away. */
  async function killedBeforeAnswer(
    runId: string,
    isStep: (request: RecordedRequest) => boolean,
  ): Promise<{ installation: Installation; isBack: Promise<void> }> {
    const kill = bench.killOnce(() => waits(runId));
    const beforeAnswer = async (request: RecordedRequest): Promise<void> => {
      if (isStep(request)) await kill.here();
    };
    disturbed = await bench.install(runId.replaceAll('-', '_'), true, { beforeAnswer });
    return { installation: disturbed, isBack: kill.isBack };
  }

  const SAME = 'is the same where the server ends while a model has';

  it(`a report ${SAME} write-section, and nothing is asked twice`, async () => {
    const { installation, isBack } = await killedBeforeAnswer(
      'report-killed',
      (request) => stepOfPrompt(...messagesOf(request)) === 'write-section',
    );
    const left = await report(installation, 'report-killed');
    await isBack;
    expect(left).toEqual(calm.report);
    expect(new Set(installation.prompts).size).toBe(installation.prompts.length);
  });

  it.each(['plan-brief', 'write-brief', 'judge'])(
    `a brief ${SAME} %s, and nothing is asked twice`,
    async (step) => {
      const runId = `brief-${step}`;
      const { installation, isBack } = await killedBeforeAnswer(
        runId,
        (request) => briefStepOf(request) === step,
      );
      const left = await brief(installation, runId);
      await isBack;
      expect(left).toEqual(calm.brief);
      expect(new Set(installation.prompts).size).toBe(installation.prompts.length);
    },
  );

  it('firings are the same where the server ends while one finds, one keeps and one works', async () => {
    const undisturbed = await bench.install('calm_firings', false);
    const expected = await firings(undisturbed, 'calm', () => undefined);
    await undisturbed.close();

    let act: { at: Point; here: () => Promise<void> } | null = null;
    const isBack: Promise<void>[] = [];
    const here = async (point: Point): Promise<void> => {
      if (act?.at === point) await act.here();
    };
    disturbed = await bench.install('firings', true, {
      afterHold: (runId) => (runId.startsWith('killed-') ? here('finds') : Promise.resolve()),
      beforeAnswer: () => here('works'),
      afterAppend: (_runId, { type }) => (type === 'scheduled-run' ? here('keeps') : Promise.resolve()),
    });
    const found = await firings(disturbed, 'killed', (point, schedule) => {
      const kill = bench.killOnce(async () => {
        const [running] = (await schedule.describe()).firings;
        if (point === 'works') return waits(running?.runId ?? '');
        return hasFailed(bench, 'killed');
      });
      act = { at: point, here: () => kill.here() };
      isBack.push(kill.isBack);
    });
    await Promise.all(isBack);
    expect(isBack).toHaveLength(POINTS.length);
    expect(found).toEqual(expected);
    expect(new Set(disturbed.prompts).size).toBe(disturbed.prompts.length);
    expect(disturbed.prompts).toHaveLength(undisturbed.prompts.length);
  });

  /** What the firings of a schedule left, over notes that come. */
  async function firings(
    { colligate, report: request, stores }: Installation,
    name: string,
    before: (point: Point, schedule: ScheduleHandle) => void,
  ): Promise<unknown[]> {
    const folder: NotesFolder = await newNotesFolder(bench.folder);
    await folder.add(0, 3);
    const { asOf: _asOf, ...asked } = request;
    const schedule = await colligate.createSchedule({
      name,
      times: { cron: '0 9 1 1 *' },
      overlap: 'allow-all',
      run: { report: { ...asked, sources: { paths: [folder.path] } } },
    });
    for (const [at, point] of POINTS.entries()) {
      await folder.add(3 + at, 4 + at);
      before(point, schedule);
      await schedule.trigger();
      await closedFirings(bench.runs.client, name, at + 1);
    }
    const ended = await endedFirings(schedule, ({ length }) => length === POINTS.length);
    const left = await Promise.all(ended.map((firing) => leftBy(firing, { colligate, stores })));
    await schedule.delete();
    return left;
  }
}

/** What a firing does when the server ends; the next one shows what it has kept. */
const POINTS = ['finds', 'keeps', 'works'] as const;
type Point = (typeof POINTS)[number];

/** Whether an activity of the schedule's firing has failed, and is to be tried again. */
async function hasFailed({ runs: { client } }: StoreBench, name: string): Promise<boolean> {
  const { info } = await client.schedule.getHandle(name).describe();
  // Of what runs, the server may name a firing that has ended just now.
  const latest = info.recentActions.at(-1)?.action.workflow.workflowId;
  if (latest === undefined) return false;
  return (await pendingActivities(client, latest)).some(({ attempt }) => attempt > 1);
}

/** By names and times that all schedules have in common. */
async function leftBy(
  { runId, status }: Firing,
  { colligate, stores }: Pick<Installation, 'colligate' | 'stores'>,
): Promise<unknown> {
  const stored = await colligate.run(runId).report();
  if (stored === null) throw new Error(`run ${runId} left no report`);
  const { report } = stored;
  const text = JSON.stringify({ status, result: comparable(stored), told: await toldBy({ stores }, runId) });
  return JSON.parse(withCommonNames(text, report));
}

function withCommonNames(text: string, { id, since, provenance }: Report): string {
  const own: [string | null | undefined, string][] = [
    [since?.runId, 'BEFORE'],
    [id, 'RUN'],
    [since?.asOf, 'TIME-BEFORE'],
    [provenance.asOf, 'TIME'],
  ];
  return own.reduce((told, [word, common]) => (word ? told.replaceAll(word, common) : told), text);
}
