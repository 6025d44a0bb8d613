import { Brief } from '../../contracts/brief/brief';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { BriefPlan } from '../../contracts/brief/brief-plan';
import { createRunHandle } from '../create-run-handle';
import { describeRun, type DescribedRun } from '../described-run';
import { readArtifact } from '../pass-results/read-pass-result';
import { RunContentGoneError, RunKindError, RunWithoutReportError } from '../run-errors';
import type { StartRecords } from '../starting/start-run';
import type { BriefHandle, WaitForBrief } from './brief-request';
import type { BriefPassResults, BriefPassWithResult, ToldJudgement } from './pass-results/brief-pass-results';

export function createBriefHandle(records: StartRecords, runId: string): BriefHandle {
  const run = createRunHandle(records, runId);

  async function described(): Promise<DescribedRun> {
    const found = await describeRun(records, runId);
    if (found.kind !== 'brief') throw new RunKindError(runId, found.kind, 'It has no brief.');
    return found;
  }

  async function result(): Promise<Brief | null> {
    await described();
    for (const event of await records.events.read(runId))
      if (event.type === 'run-completed') {
        const brief = await readArtifact(records.content, event.payload.reportRef, Brief);
        if (brief === null) throw new RunContentGoneError(runId);
        return brief;
      }
    return null;
  }

  async function judgements(): Promise<ToldJudgement[] | null> {
    const told = await records.events.read(runId);
    const judged = told.flatMap((event) => (event.type === 'judge' ? [event.payload] : []));
    return judged.length === 0 ? null : judged;
  }

  const readers: { [Pass in BriefPassWithResult]: () => Promise<BriefPassResults[Pass] | null> } = {
    gather: async () =>
      readArtifact(records.content, (await described()).memo.passRefs.material, BriefMaterial),
    plan: async () => readArtifact(records.content, (await described()).memo.passRefs.plan, BriefPlan),
    async judge() {
      await described();
      return judgements();
    },
  };

  return {
    runId,
    progress: (options) => run.progress(options),
    usage: () => run.usage(),
    pause: () => run.pause(),
    resume: () => run.resume(),
    setBudget: (change, options) => run.setBudget(change, options),
    steering: () => run.steering(),
    cancel: () => run.cancel(),
    events: (options) => run.events(options),
    waitUntilClosed: (options) => run.waitUntilClosed(options),
    version: (n) => run.version(n),
    result,
    async brief(options: WaitForBrief = {}) {
      await described();
      const { status, message } = await run.waitUntilClosed(options);
      const brief = await result();
      if (brief !== null) return brief;
      const why = message === undefined ? '' : ` ${message}`;
      throw new RunWithoutReportError(runId, status, why, 'brief');
    },
    passResult: (pass) => readers[pass](),
  };
}
