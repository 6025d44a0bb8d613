import { randomUUID } from 'node:crypto';
import { GivenOutline } from '../../contracts/report/given-outline';
import type { MessageName, MessageResult, SteeringAnswer } from '../../contracts/steering/messages';
import { toArtifactText } from '../../core/run/json-artifact';
import { shapeProblems, type Shaped } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';
import { steeringQuery } from '../../workflows/run/messages';
import { describeRun, type ImportRecords, type RunRecords } from '../described-run';
import type { RequestedSources } from '../requested-sources';
import { InvalidRequestError, RunKindError, RunNotRunningError } from '../run-errors';
import { sendMessage, type MessageOptions } from './send-message';

/** What a run is told while it goes on. Every method rejects as `sendMessage` does. */
export interface RunSteering {
  /** Puts an outline in the place of the planned one, before pass 2. Rejects with `InvalidRequestError` for one that is not whole. */
  setOutline(outline: GivenOutline, options?: MessageOptions): Promise<MessageResult>;
  approveOutline(options?: MessageOptions): Promise<MessageResult>;
  /** Stores sources and adds them; rejects with `InvalidSourcesError` for bad ones. */
  addSources(sources: RequestedSources, options?: MessageOptions): Promise<MessageResult>;
  steering(): Promise<SteeringAnswer>;
}

export type SteeringOfReports = 'setOutline' | 'approveOutline' | 'addSources';

export function createSteering(records: RunRecords & ImportRecords, runId: string): RunSteering {
  const send = (
    name: MessageName,
    said: object,
    { id = randomUUID(), timeoutMs }: MessageOptions,
  ): Promise<MessageResult> => sendMessage(records, runId, name, { id, ...said }, timeoutMs);
  /** Nothing is stored for a run that would not take it. */
  const requireReport = async (name: MessageName, what: string): Promise<void> => {
    const { kind, isRunning } = await describeRun(records, runId);
    if (kind !== 'report') throw new RunKindError(runId, kind, `Only a report takes ${what}.`);
    if (!isRunning) throw new RunNotRunningError(runId, name);
  };
  return {
    async setOutline(outline, options = {}) {
      requireShape('outline', GivenOutline, outline);
      await requireReport('setOutline', 'an outline');
      const outlineRef = await records.content.store(runId, toArtifactText(GivenOutline.parse(outline)));
      return send('setOutline', { outlineRef }, options);
    },
    approveOutline: (options = {}) => send('approveOutline', {}, options),
    async addSources(sources, options = {}) {
      await requireReport('addSources', 'more sources');
      if ('manifestRef' in sources) {
        const { manifestRef, count: sourceCount } = sources;
        if (!(await records.content.has(manifestRef)))
          throw new InvalidRequestError([
            `manifestRef is ${toldValue(manifestRef)}, which is not in this content store`,
          ]);
        return send('addSources', { manifestRef, sourceCount }, options);
      }
      // Only now: what reads sources is large.
      const { importGiven } = await import('../given-sources.js');
      const { manifestRef, count, chars } = await importGiven(records, runId, sources);
      return send('addSources', { manifestRef, sourceCount: count, sourceChars: chars }, options);
    },
    steering: () => records.client.workflow.getHandle(runId).query(steeringQuery),
  };
}

/** Throws `InvalidRequestError` with everything in which a value does not fit. */
function requireShape(...shaped: Shaped): void {
  const problems = shapeProblems([shaped]);
  if (problems.length > 0) throw new InvalidRequestError(problems);
}
