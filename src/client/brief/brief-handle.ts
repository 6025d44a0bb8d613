import { Brief } from '../../contracts/brief/brief';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { BriefPlan } from '../../contracts/brief/brief-plan';
import { createRunHandle } from '../create-run-handle';
import { completionOf } from '../stored-result';
import { describeRun, type DescribedRun, type StartRecords } from '../described-run';
import { readArtifact } from '../pass-results/read-pass-result';
import { RunContentGoneError, RunKindError, RunWithoutReportError } from '../run-errors';
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
    const completion = await completionOf(records.events, runId);
    if (completion === null) return null;
    const brief = await readArtifact(records.content, completion.reportRef, Brief);
    if (brief === null) throw new RunContentGoneError(runId);
    return brief;
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
    ...run,
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
