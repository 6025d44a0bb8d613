import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RecordEventsInput } from '../activities/publish-events';
import type { PassName, Progress, RunStatus, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { limitSentence } from '../contracts/run-status';
import { escapeMarkdown } from '../lib/untrusted-text';
import { onQuery } from './input';
import { progressQuery, type RunMemo, type RunUsage, usageQuery } from './messages';
import type { AttemptOptions, Outages, PauseController } from './outages';
import type { RunDefinition } from './run-definition';
import type { HistoryState, WorkflowState } from './run-state';
import { ColligateKind, ColligatePass, ColligateSchedule, ColligateStatus } from './search-attributes';
import { causeMessage, MAX_UPDATES_PER_TASK, sharedActivities } from './steps';

// Publishes progress to queries, memo, search attributes and the Web UI, and writes events.

export interface RunPublisher {
  refresh(): void;
  /** Also updates memo and search attributes: two events in the history. */
  publish(): void;
  messageOf(name: PassName): string;
  answerQueries(): void;
}

export function createPublisher<
  Input extends RunInput,
  Carried extends WorkflowState,
  Facts extends object,
>(run: {
  kind: RunDefinition<Input, Carried, Facts>;
  input: Input;
  carried: Carried;
  state: HistoryState;
  gate: PauseController;
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
  const mirror = throttlePerTask(() => {
    const { question, searchAttributes, schedule } = input;
    const { startedAt } = carried;
    const facts = {
      question,
      startedAt,
      passRefs: kind.passRefs(carried),
      usage: runUsage(carried),
      ...(schedule === undefined ? {} : { schedule }),
    };
    mirrorProgress(progress(), facts, searchAttributes);
  });
  const publisher: RunPublisher = {
    messageOf,
    refresh() {
      updatedAt = Date.now();
      updateDetails({
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
      onQuery(progressQuery, progress);
      onQuery(usageQuery, () => runUsage(carried));
    },
  };
  return publisher;
}

/** Each run adds history events, so beyond a few calls a workflow task runs `work` once more, at its end. */
function throttlePerTask(work: () => void): () => void {
  let task = 0;
  let times = 0;
  let isDue = false;
  return () => {
    const { historyLength } = workflowInfo();
    if (historyLength !== task) times = 0;
    task = historyLength;
    times += 1;
    if (times <= MAX_UPDATES_PER_TASK) {
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

/** Shown in lists, in the Web UI, and while no worker answers queries. */
function mirrorProgress(
  progress: Progress,
  facts: Omit<RunMemo, 'status' | 'pass' | 'waiting' | 'parked'>,
  searchAttributes: boolean,
): void {
  const { status, pass, waiting, parked } = progress;
  const { schedule } = facts;
  const memo: RunMemo = { ...facts, status, pass, waiting, parked };
  upsertMemo({ ...memo });
  if (searchAttributes) {
    upsertSearchAttributes([
      { key: ColligateKind, value: progress.kind },
      { key: ColligateStatus, value: progress.status },
      { key: ColligatePass, value: progress.pass.number },
      ...(schedule === undefined ? [] : [{ key: ColligateSchedule, value: schedule }]),
    ]);
  }
}

export interface RunDetails {
  progress: Progress;
  passes: readonly { name: PassName; message: string }[];
  finishedPasses: readonly PassName[];
  underPass: readonly string[];
  facts: readonly string[];
}

/** A Markdown list of the passes, for the Web UI. */
function updateDetails(details: RunDetails): void {
  const { progress, passes, finishedPasses, underPass } = details;
  const lines = passes.flatMap(({ name, message }, number) => {
    const label = `${number}. ${message}`;
    if (finishedPasses.includes(name)) return `- ✓ ${label}`;
    return name === progress.pass.name ? [`- **${label}**`, ...underPass] : `- ${label}`;
  });
  const facts = factsLine(details);
  setCurrentDetails(
    [
      `**${progress.status}** · ${progress.percent} %`,
      ...waitingLines(progress),
      '',
      ...lines,
      ...(facts === '' ? [] : ['', facts]),
      '',
      CLIPPED_LINE,
    ].join('\n'),
  );
}

function waitingLines({ waiting, parked }: Progress): string[] {
  if (parked !== null)
    return ['', `Parked since ${parked.since}, until \`resume\`: ${escapeMarkdown(parked.reason)}`];
  if (waiting === null) return [];
  const { what, since, nextTry, reason, until } = waiting;
  if (until !== undefined) return ['', escapeMarkdown(limitSentence({ what, until, reason }))];
  return ['', `Waiting for ${what} since ${since}, next try at ${nextTry}: ${escapeMarkdown(reason)}`];
}

/** The Web UI cuts off the lower part of the last line. */
const CLIPPED_LINE = '\u00a0';

function factsLine({ progress, facts: known }: RunDetails): string {
  const { usage, warnings } = progress;
  const facts = [...known];
  if (warnings.length > 0) facts.push(formatCount(warnings.length, 'warning'));
  if (usage.calls > 0) {
    facts.push(`${formatCount(usage.calls, 'call')}, ${usage.cachedCalls} from the cache`);
    facts.push(formatCount(usage.inputTokens + usage.outputTokens, 'token'));
  }
  if (usage.costUsd > 0) facts.push(`$${usage.costUsd.toFixed(2)}`);
  return facts.join(' · ');
}

export function formatCount(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

export function runUsage({ ledger }: WorkflowState): RunUsage {
  return { total: ledger.spent, byPass: ledger.byPass };
}

const EVENT_ATTEMPTS: AttemptOptions = { retry: { maximumAttempts: 3 } };

type EventInputs = RecordEventsInput['events'];
type WriteEvents = (events: EventInputs) => Promise<void>;

/** An event that cannot be written is skipped, because no report depends on it. */
export interface EventRecorder {
  record(summary: string, write: (record: WriteEvents) => Promise<void>): Promise<void>;
  warn(warning: Warning): Promise<void>;
  /** Writes one event per `ordinal`, with few retries. */
  tellOnce(event: EventInputs[number]['event'], ordinal: string | number): Promise<void>;
  tellOutage(outages: Pick<Outages, 'waiting' | 'parked' | 'isWorking'>): void;
  /** Resolves when outage events are written or have failed. Await it before the run ends. */
  outagesTold(): Promise<void>;
}

export function createEventRecorder(run: {
  runId: string;
  carried: WorkflowState;
  named: (summary: string) => string;
  outlast: Outages['outlast'];
  place: () => number;
  refresh: () => void;
  publish: () => void;
}): EventRecorder {
  const { runId, carried } = run;
  let told = '';
  let wasWorking = false;
  let untold = 0;

  const recordWith =
    (summary: string, trial: AttemptOptions): WriteEvents =>
    (events) =>
      sharedActivities.recordEvents.executeWithOptions({ summary: run.named(summary), ...trial }, [
        { runId, events },
      ]);

  function recordOnce(event: EventInputs[number]['event']): void {
    carried.outagesTold = (carried.outagesTold ?? 0) + 1;
    const key = eventKey({ pass: run.place(), step: 'run', type: event.type, ordinal: carried.outagesTold });
    untold += 1;
    void CancellationScope.nonCancellable(() =>
      recordWith('outage', { retry: { maximumAttempts: 1 } })([{ key, event }]),
    )
      .catch(logSkippedEvent)
      .finally(() => (untold -= 1));
  }

  const recorder: EventRecorder = {
    async record(summary, write) {
      try {
        await run.outlast((trial) => write(recordWith(summary, trial)));
      } catch (error) {
        const isFailure = error instanceof ActivityFailure || error instanceof ApplicationFailure;
        if (!isFailure || isCancellation(error)) throw error;
        logSkippedEvent(error);
      }
    },
    async warn(warning) {
      carried.warningsSaid += 1;
      const ordinal = carried.warningsSaid;
      const key = eventKey({ pass: run.place(), step: 'run', type: 'warning', ordinal });
      const event = { type: 'warning' as const, payload: warning };
      await recorder.record('warning', (record) => record([{ key, event }]));
    },
    async tellOnce(event, ordinal) {
      const key = eventKey({ pass: 0, step: 'message', type: event.type, ordinal });
      try {
        await recordWith(event.type, EVENT_ATTEMPTS)([{ key, event }]);
      } catch (error) {
        logSkippedEvent(error);
      }
    },
    tellOutage({ waiting, parked, isWorking }) {
      const now =
        parked === null ? `${waiting?.since ?? ''} ${waiting?.until ?? ''}`.trim() : `parked ${parked.since}`;
      const changesStatus = isWorking !== wasWorking && waiting !== null;
      wasWorking = isWorking;
      if (now === told) {
        if (changesStatus) run.publish();
        else run.refresh();
        return;
      }
      told = now;
      run.publish();
      if (parked !== null) recordOnce({ type: 'run-parked', payload: { reason: parked.reason } });
      else if (waiting !== null) {
        const { what, reason, until } = waiting;
        recordOnce({
          type: 'run-waiting',
          payload: { what, reason, ...(until === undefined ? {} : { until }) },
        });
      } else recordOnce({ type: 'run-goes-on', payload: {} });
    },
    async outagesTold() {
      if (untold > 0) await condition(() => untold === 0);
    },
  };
  return recorder;
}

function logSkippedEvent(error: unknown): void {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return;
  log.warn('An event could not be written into the log', { reason: causeMessage(error) });
}
