import type { PassName } from '../../../contracts/kinds';
import type { Progress, RunStatus } from '../../../contracts/run/run';
import type { RunInput } from '../../../contracts/run/run-input';
import type { CarriedRun } from '../carried-run';
import type { RunState } from '../run-state';
import { answerQuery } from '../handlers';
import type { Kind } from '../kind';
import { progressQuery, usageQuery } from '../messages';
import type { Outages } from '../outages/outages';
import type { PauseGate } from '../gate/pause-gate';
import { mirrorRun, showDetails, usageOf } from './run-mirror';
import { workflowInfo } from '@temporalio/workflow';
import { TOLD_AT_ONCE } from '../run-constants';

export interface RunPublisher {
  /** To queries and the Web UI's details. */
  refresh(): void;
  /** To the server's records too; each time costs the history two events. */
  publish(): void;
  messageOf(name: PassName): string;
  answerQueries(): void;
}

export function createPublisher<
  Input extends RunInput,
  Carried extends CarriedRun,
  Facts extends object,
>(run: {
  kind: Kind<Input, Carried, Facts>;
  input: Input;
  carried: Carried;
  state: RunState;
  gate: PauseGate;
  outages: Outages;
}): RunPublisher {
  const { kind, input, carried, state, gate, outages } = run;
  let updatedAt = Date.now();

  const status = (): RunStatus => {
    if (state.special !== null) return state.special;
    if (gate.paused) return gate.draining ? 'pausing' : 'paused';
    if (state.approvalSince !== null) return 'awaiting-approval';
    return outages.waiting === null || outages.isWorking ? 'running' : 'waiting';
  };
  const stillSince = (): string | undefined =>
    gate.paused ? carried.pausedSince : (state.approvalSince ?? undefined);
  const messageOf = (name: PassName): string =>
    kind.passes.find((pass) => pass.name === name)?.message(input, carried) ?? '';
  const progress = (): Progress => {
    const { pass, parts, special, sources } = state;
    const since = stillSince();
    const number = kind.passes.findIndex(({ name }) => name === pass);
    return {
      runId: input.runId,
      kind: kind.name,
      status: status(),
      pass: { number, of: kind.passes.length - 1, name: pass, message: messageOf(pass) },
      section: kind.section(pass, carried, state.donePieces),
      ...(sources === null ? {} : { sources }),
      percent: special === 'completed' || special === 'partial' ? 100 : kind.percentDone(pass, parts),
      waiting: outages.waiting,
      parked: outages.parked,
      ...(since === undefined ? {} : { stillSince: since }),
      usage: carried.ledger.spent,
      warnings: carried.warnings,
      startedAt: carried.startedAt,
      updatedAt: new Date(updatedAt).toISOString(),
    };
  };
  const mirror = fewTimesATask(() => {
    const { question, searchAttributes, schedule } = input;
    const { startedAt } = carried;
    const facts = {
      question,
      startedAt,
      passRefs: kind.passRefs(carried),
      usage: usageOf(carried),
      ...(schedule === undefined ? {} : { schedule }),
    };
    mirrorRun(progress(), facts, searchAttributes);
  });
  const publisher: RunPublisher = {
    messageOf,
    refresh() {
      updatedAt = Date.now();
      showDetails({
        progress: progress(),
        passes: kind.passes.map(({ name }) => ({ name, message: messageOf(name) })),
        finishedPasses: carried.finishedPasses,
        underPass: kind.detailLines(state.pass, carried, state.donePieces),
        facts: state.facts,
      });
    },
    publish() {
      publisher.refresh();
      mirror();
    },
    answerQueries() {
      answerQuery(progressQuery, progress);
      answerQuery(usageQuery, () => usageOf(carried));
    },
  };
  return publisher;
}

/**
 * Does what costs the history events at once, but only a few times in a workflow task: what is asked for after that is done once,
 * when everything that came with the task was taken up. Many messages may come with one.
 */
function fewTimesATask(work: () => void): () => void {
  let task = 0;
  let times = 0;
  let isDue = false;
  return () => {
    const { historyLength } = workflowInfo();
    if (historyLength !== task) times = 0;
    task = historyLength;
    times += 1;
    if (times <= TOLD_AT_ONCE) {
      work();
      return;
    }
    if (isDue) return;
    isDue = true;
    void Promise.resolve().then(() => {
      isDue = false;
      work();
    });
  };
}
