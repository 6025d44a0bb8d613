import { dirname, join } from 'node:path';
import type { BriefRequest, ColligateClient, ReportRequest } from '../../../src/client';
import { modelChoices } from '../../../src/config/model-choices';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import type { RunEventType } from '../../../src/contracts/run/event';
import { Secret } from '../../../src/platform/secret';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { startWorker } from '../../../src/worker';
import { briefModel, briefStepOf } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import { startModelServer, type RecordedRequest } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { forAllTests } from '../../support/for-all-tests';
import { NOTES } from '../../support/kills/material';
import { comparable } from '../../support/kills/run-record';
import { openRunBench } from '../../support/run-bench';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { until } from '../../support/until';
import { QUESTION, SUBTOPICS } from '../briefs/brief-bench';
import { comparableBrief } from '../briefs/comparable-brief';

/** The waits are short, and each activity is tried once. */
const PATIENT: OutageSettings = { firstWaitMs: 50, attempts: 1, patienceMs: 3_600_000, afterwards: 'park' };
const OF_WAITING: ReadonlySet<RunEventType> = new Set(['run-waiting', 'run-goes-on']);

/** Stores with a worker of their own, whose models answer well. */
interface Installation {
  stores: Stores;
  colligate: ColligateClient;
  report: ReportRequest;
  brief: BriefRequest;
  /** What its models have been asked, each with its repetitions. */
  prompts: string[];
  close(): Promise<void>;
}

/** The result of a run, and the keys of its events. */
interface Left {
  result: unknown;
  told: string[];
}

describeWithRedis('with all that is kept on Redis', () => {
  const runs = forAllTests(() => openRunBench());
  let redis: RedisServer;
  let calm: { report: Left; brief: Left };
  let disturbed: Installation | null = null;

  beforeAll(async () => {
    redis = await startRedisServer();
    const undisturbed = await install(runs.stores);
    calm = { report: await report(undisturbed, 'report'), brief: await brief(undisturbed, 'brief') };
    await undisturbed.close();
  });
  afterEach(async () => {
    await disturbed?.close();
    await disturbed?.stores.close();
    disturbed = null;
  });
  afterAll(() => redis.stop());

  async function install(
    stores: Stores,
    beforeAnswer: (request: RecordedRequest) => Promise<void> = async () => undefined,
  ): Promise<Installation> {
    const prompts: string[] = [];
    const good = briefModel();
    const server = await startModelServer((request, index) => {
      if (typeof good !== 'function') throw new Error('the model answers whatever it is asked');
      prompts.push(messagesOf(request).join('\n'));
      return async (...given) => {
        await beforeAnswer(request);
        await good(request, index)(...given);
      };
    });
    const models = { fast: 'small', strong: 'large', critic: null, embedding: null };
    const openai = { ...runs.config.openai, baseUrl: server.baseUrl, models };
    const worker = await startWorker({
      config: { ...runs.config, openai },
      target: runs.target,
      stores,
      threads: runs.threads,
      workflowBundle: runs.bundle,
    });
    const byModel = { engine: 'openai', models: modelChoices(openai), outages: PATIENT } as const;
    const asked = { asOf: '2026-01-01T00:00:00.000Z', searchAttributes: true };
    return {
      stores,
      prompts,
      colligate: runs.colligateOn(stores),
      report: runs.request({ question: NOTES.question, sources: { paths: NOTES.paths }, ...byModel }),
      brief: { question: QUESTION, subtopics: SUBTOPICS, ...byModel, ...asked },
      async close() {
        await worker.drain();
        await server.close();
      },
    };
  }

  /** The keys of all events but those of waiting. Each is there once, and the log has no hole. */
  async function toldBy({ stores }: Installation, runId: string): Promise<string[]> {
    const events = await stores.events.read(runId);
    expect(events.map(({ number }) => number)).toEqual(events.map((_event, at) => at + 1));
    const keys = events.flatMap(({ type, key }) => (OF_WAITING.has(type) ? [] : [key]));
    expect(new Set(keys).size).toBe(keys.length);
    return keys.sort();
  }

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

  /** Redis is killed, once, before a model answers the step, and comes back when the run waits for its store. */
  async function killedBeforeAnswer(
    runId: string,
    isStep: (request: RecordedRequest) => boolean,
  ): Promise<{ installation: Installation; isBack: Promise<void> }> {
    let isKilled = false;
    let settle = { resolve: (): void => undefined, reject: (_error: unknown): void => undefined };
    const isBack = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    const keyPrefix = runId.replaceAll('-', '_');
    const stores = await openStores({
      dataDir: join(dirname(runs.config.dataDir), keyPrefix),
      stores: 'redis',
      redis: { url: new Secret(redis.url), keyPrefix, ttlMs: 86_400_000 },
    });
    const installation = await install(stores, async (request) => {
      if (isKilled || !isStep(request)) return;
      isKilled = true;
      await redis.kill();
      // The answer goes on while the store is away.
      void until(
        () => installation.colligate.run(runId).progress(),
        ({ status, waiting }) => status === 'waiting' && waiting?.what === 'the store',
      )
        .then(() => redis.restart())
        .then(settle.resolve, settle.reject);
    });
    disturbed = installation;
    return { installation, isBack };
  }

  it('a report is the same where the server ends while a model has write-section, and nothing is asked twice', async () => {
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
    'a brief is the same where the server ends while a model has %s, and nothing is asked twice',
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
});
