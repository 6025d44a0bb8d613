import { briefStepOf } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { comparableBrief } from '../briefs/comparable-brief';
import { comparable } from '../../support/kills/run-record';
import type { StoreServer } from './store-servers';
import { openStoreBench, toldBy, type Installation } from './store-bench';
import { forAllTests } from '../../support/for-all-tests';

/** What a run left, and what it told. */
interface Left {
  result: unknown;
  told: string[];
}

/** What is true of runs whose stores, or a part of them, are on a server that is killed and started again. */
export function outliveAKilledStore(startStore: () => Promise<StoreServer>): void {
  const bench = forAllTests(() => openStoreBench(startStore));
  let calm: { report: Left; brief: Left };
  let disturbed: Installation | null = null;

  beforeAll(async () => {
    const undisturbed = await bench.install('calm', false);
    calm = { report: await report(undisturbed, 'report'), brief: await brief(undisturbed, 'brief') };
    await undisturbed.close();
  });
  afterEach(async () => {
    await disturbed?.close();
    disturbed = null;
  });

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
}
