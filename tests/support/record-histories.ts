// Records the histories of a release that `tests/system/runs/replay.test.ts` replays from then on, in the place of those of the
// minor version before (docs/decisions/0028): `npx tsx tests/support/record-histories.ts 0.6.0`, those of some names alone where
// they follow. Each history is a function; they stand together because a release records all of them, and a later one may take
// up an earlier one's.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { WrittenSentence } from '../../src/contracts/report/draft';
import { citationMark } from '../../src/core/text/citation-marks';
import type { WriteSectionInput, WriteSectionOutput } from '../../src/steps/write-section/contract';
import type { RunHandle } from '../../src/client';
import type { ColligateWorker } from '../../src/worker';
import { replyUpdate } from '../../src/workflows/answer/messages';
import { BY_MODEL, idOf, INVENTED_CLAIM, OBSERVATIONS, says, textOf, TRUE_CLAIM } from './answer-script';
import { BY_SCRIPTED_MODEL, briefScript } from './brief-script';
import { writeHistory } from './history-file';
import { REPORT_SCRIPT } from './report-script';
import { openRunBench, type RunBench } from './run-bench';
import { createScriptedEngine, enginesThatFollow, type StepScript } from './scripted-engine';
import { until } from './until';

async function record(release: string, only: readonly string[]): Promise<void> {
  const folder = join(__dirname, '../system/histories', release);
  await mkdir(folder, { recursive: true });
  const bench = await openRunBench();
  try {
    for (const [name, make] of [
      ['completed', completed],
      ['paused-and-cancelled', pausedAndCancelled],
      ['continued', continued],
      ['waited-and-parked', waitedAndParked],
      ['cancelled-while-waiting', cancelledWhileWaiting],
      ['ended-at-a-failure', endedAtAFailure],
      ['audited-and-revised', auditedAndRevised],
      ['answered', answered],
      ['answer-revised', answerRevised],
      ['brief', brief],
      ['brief-revised', briefRevised],
      ['brief-continued', briefContinued],
      ['steered', steered],
      ['steered-late', steeredLate],
      ['scheduled', scheduled],
    ] as const) {
      if (only.length > 0 && !only.includes(name)) continue;
      const workflowId = (await make(bench, name)) ?? name;
      const history = await bench.client.workflow.getHandle(workflowId).fetchHistory();
      writeHistory(join(folder, `${name}.json`), history);
    }
  } finally {
    await bench.close();
  }
}

async function completed(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const { run } = await bench.colligate.startReport(bench.request({ runId }));
  await run.waitUntilClosed();
  await worker.drain();
}

async function pausedAndCancelled(bench: RunBench, runId: string): Promise<void> {
  const engine = createScriptedEngine(REPORT_SCRIPT);
  const hold = engine.hold('extract-findings', '"Tea"');
  const worker = await bench.startWorker({ extractive: engine });
  const { run } = await bench.colligate.startReport(bench.request({ runId }));
  await hold.reached;
  await run.pause();
  await until(
    () => run.progress(),
    ({ status }) => status === 'pausing',
  );
  await run.resume();
  await run.cancel();
  await run.waitUntilClosed();
  await worker.drain();
}

/** The last of its histories: it takes up what the ones before have carried over. */
async function continued(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const run = await bench.startRun(runId, { continueAsNewAfterEvents: 1 });
  await run.waitUntilClosed();
  await worker.drain();
}

/** An endpoint that is away for longer than the run's patience, and then there again. */
async function waitedAndParked(bench: RunBench, runId: string): Promise<void> {
  const { run, engine, worker } = await startAway(bench, runId, 300);
  await until(
    () => run.progress(),
    ({ status, parked }) => status === 'paused' && parked !== null,
  );
  engine.isAway = false;
  await run.resume();
  await run.waitUntilClosed();
  await worker.drain();
}

async function cancelledWhileWaiting(bench: RunBench, runId: string): Promise<void> {
  const { run, worker } = await startAway(bench, runId, 3_600_000);
  await until(
    () => run.progress(),
    ({ status }) => status === 'waiting',
  );
  await run.cancel();
  await run.waitUntilClosed();
  await worker.drain();
}

/** Where the sources cannot be ranked the run goes on, and where the findings cannot be kept it ends partial. */
async function endedAtAFailure(bench: RunBench, runId: string): Promise<void> {
  const { content } = bench.stores;
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) }, undefined, {
    stores: {
      ...bench.stores,
      content: {
        ...content,
        store(id, text) {
          const isRanking = /^\{"sections":\[\{"sectionId":"[^"]*","sources":/.test(text);
          const areValidated = text.includes('"gaps":') && text.includes('"readInFull":');
          if (isRanking || areValidated) throw ApplicationFailure.nonRetryable('this is out of order.');
          return content.store(id, text);
        },
      },
    },
  });
  const run = await bench.startRun(runId, {});
  await run.waitUntilClosed();
  await worker.drain();
}

/** A writer that has a number wrong until its section's critique tells it so. */
async function auditedAndRevised(bench: RunBench, runId: string): Promise<void> {
  const engine = createScriptedEngine({
    ...REPORT_SCRIPT,
    'write-section': (input: WriteSectionInput): WriteSectionOutput => {
      const sentences = input.findings.map((finding): WrittenSentence => {
        const plain = input.critique === undefined ? finding.claim.replace(/\d+/, '77') : finding.claim;
        const text = `${plain} ${citationMark(finding.citations)}`;
        return { text, plain, findingIds: [finding.id], isClaim: true, standing: 'undecided' };
      });
      return {
        markdown: sentences.map(({ text }) => text).join('\n\n'),
        claims: sentences.map(({ text, findingIds }) => ({ text, findingIds })),
        checked: { sentences },
      };
    },
  });
  const worker = await bench.startWorker(enginesThatFollow(() => engine));
  const model = { name: 'scripted', contextTokens: 16_000, price: null };
  const run = await bench.startRun(runId, {
    engine: 'openai',
    models: { fast: model, strong: model, critic: model },
  });
  await run.waitUntilClosed();
  await worker.drain();
}

/** An answer without a model, from what a caller observed. */
async function answered(bench: RunBench, requestId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(GOOD_ANSWERS) });
  await ask(bench, requestId, {});
  await worker.drain();
}

/** A model that invents until the critique tells it so, after its context was compressed too much. */
async function answerRevised(bench: RunBench, requestId: string): Promise<void> {
  const engine = createScriptedEngine(
    says((input) =>
      textOf([
        [TRUE_CLAIM, idOf(input, 'example-based')],
        ...(input.critique === undefined ? [[INVENTED_CLAIM, idOf(input, 'Spider')] as const] : []),
      ]),
    ),
  );
  const worker = await bench.startWorker(enginesThatFollow(() => engine));
  const long = Array.from({ length: 20 }, (_, at) => `Query ${at} was left out. `.repeat(30));
  const answers = { compressAboveChars: 100, keptWhole: 2 };
  await ask(bench, requestId, { ...BY_MODEL, observations: [...OBSERVATIONS, ...long], answers });
  await worker.drain();
}

const GOOD_ANSWERS = says((input) => textOf([[TRUE_CLAIM, idOf(input, 'example-based')]]));

async function ask(bench: RunBench, workflowId: string, given: object): Promise<void> {
  const { taskQueue } = bench.config.temporal;
  const question = { question: 'What does DAIL-SQL use?', observations: OBSERVATIONS, ...given };
  const { workflow } = bench.client;
  await workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation('answer', {
      workflowId,
      taskQueue,
      args: [question],
      workflowIdConflictPolicy: 'FAIL',
    }),
  });
  await workflow.getHandle(workflowId).result();
}

/** A brief in one call, without a model. */
async function brief(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(briefScript()) });
  await startBrief(bench, runId, {});
  await worker.drain();
}

/** Part by part, judged three times, of which the first is kept. */
async function briefRevised(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker(enginesThatFollow(() => NEVER_PASSING));
  await startBrief(bench, runId, { ...BY_SCRIPTED_MODEL, brief: { oneCallWords: 0 } });
  await worker.drain();
}

/** The last of its histories: it takes up versions that the ones before have judged. */
async function briefContinued(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker(enginesThatFollow(() => NEVER_PASSING));
  await startBrief(bench, runId, { ...BY_SCRIPTED_MODEL, continueAsNewAfterEvents: 1 });
  await worker.drain();
}

/** Given sources, an outline and a budget before it is read for, and approved; the last of its histories. */
async function steered(bench: RunBench, runId: string): Promise<void> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const run = await bench.startRun(runId, {
    approval: { timeoutMs: 600_000 },
    continueAsNewAfterEvents: 60,
  });
  await awaitingApproval(run);
  await run.setBudget({ maxTokens: 1_000_000 }, { id: 'budget' });
  await run.addSources({ records: [LATE_WALK] }, { id: 'sources' });
  await run.setOutline(
    { sections: [{ title: 'Walking in the evening' }, { title: 'Black and green tea' }] },
    { id: 'outline' },
  );
  await awaitingApproval(run);
  await run.approveOutline({ id: 'approval' });
  await run.waitUntilClosed();
  await worker.drain();
}

/** Sources that come when the report is written, and a message twice. */
async function steeredLate(bench: RunBench, runId: string): Promise<void> {
  const engine = createScriptedEngine(REPORT_SCRIPT);
  const hold = engine.hold('write-summary');
  const worker = await bench.startWorker({ extractive: engine });
  const { run } = await bench.colligate.startReport(bench.request({ runId }));
  await hold.reached;
  for (const id of ['late', 'late']) await run.addSources({ records: [LATE_WALK] }, { id });
  hold.release();
  await run.waitUntilClosed();
  await worker.drain();
}

async function awaitingApproval(run: RunHandle): Promise<void> {
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );
}

const LATE_WALK = {
  id: 'walk-3',
  url: 'https://example.org/walk-3',
  title: 'Walking at noon and sleep',
  content: 'Walking at noon shortened the nights of 80 nurses by 4 percent. They slept deeper.',
};

/** A firing of a schedule; resolves with the id of its workflow. */
async function scheduled(bench: RunBench, name: string): Promise<string> {
  const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
  const { runId: _none, ...report } = bench.request({});
  const schedule = await bench.colligate.createSchedule({
    name,
    times: { cron: '0 9 1 1 *' },
    run: { report },
  });
  await schedule.trigger();
  await until(
    () => schedule.describe(),
    ({ firings }) => firings[0]?.status === 'completed',
  );
  let workflowId = '';
  const { info } = await bench.client.schedule.getHandle(name).describe();
  for (const { action } of info.recentActions) workflowId = action.workflow.workflowId;
  await bench.client.workflow.getHandle(workflowId).result();
  await worker.drain();
  return workflowId;
}

const NEVER_PASSING = createScriptedEngine(
  briefScript({ judge: () => ({ score: 3, parts: ['conclusions'] }) }),
);

/** Its sources are given in full, so that its summaries are checked. */
async function startBrief(bench: RunBench, workflowId: string, given: object): Promise<void> {
  const { taskQueue } = bench.config.temporal;
  const input = { question: 'Which habits help?', subtopics: BRIEF_SUBTOPICS, ...given };
  const handle = await bench.client.workflow.start('brief', { workflowId, taskQueue, args: [input] });
  await handle.result();
}

const BRIEF_SUBTOPICS = ['Light', 'Coffee'].map((title, at) => {
  const url = `https://example.org/${title.toLowerCase()}`;
  const summary = `${title} delays sleep by ${20 + at} minutes in adults [1].`;
  const content = `${summary} It was seen in all groups of the study.`;
  return { title, summary, sources: [{ url, title: `On ${title.toLowerCase()}`, content }] };
});

/** A run by models whose endpoint is away from pass 2 on. */
async function startAway(
  bench: RunBench,
  runId: string,
  patienceMs: number,
): Promise<{ run: RunHandle; engine: { isAway: boolean }; worker: ColligateWorker }> {
  const state = { isAway: true };
  const away: StepScript = (input, context) => {
    if (state.isAway) throw ApplicationFailure.retryable('The endpoint is away.', 'ModelFailure.unreachable');
    return REPORT_SCRIPT['extract-findings']?.(input, context);
  };
  const engine = createScriptedEngine({ ...REPORT_SCRIPT, 'extract-findings': away });
  const worker = await bench.startWorker(enginesThatFollow(() => engine));
  const model = { name: 'scripted', contextTokens: 16_000, price: null };
  const run = await bench.startRun(runId, {
    engine: 'openai',
    models: { fast: model, strong: model, critic: model },
    outages: { patienceMs, afterwards: 'park', firstWaitMs: 50, attempts: 1 },
  });
  return { run, engine: state, worker };
}

const [, , release, ...only] = process.argv;
if (release === undefined) throw new Error('Which release are the histories of? Such as 0.6.0.');
void record(release, only);
