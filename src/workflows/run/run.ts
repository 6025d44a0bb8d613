import {
  condition,
  allHandlersFinished,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ActivityFunctionWithOptions, ActivityOptions } from '@temporalio/workflow';
import type { RunBrief } from '../../activities/shared/ports';
import { book, release } from '../../core/budget/budget-ledger';
import type { PassName } from '../../contracts/kinds';
import type { Progress, RunStatus, Warning } from '../../contracts/run/run';
import type { ReportRunInput } from '../../contracts/report/report-run';
import { LAST_PASS, PASS_NAMES, passMessage, passNumber } from '../../core/run/pass-messages';
import { percentDone } from '../../core/run/progress';
import { createAsk, REPORT_FUND, type Ask } from './ask';
import { outlineQuery, pauseSignal, progressQuery, resumeSignal, usageQuery } from './messages';
import { openingEvents } from '../report/opening-events';
import { createOutages, type Outages } from './outages';
import { createPauseGate } from './pause-gate';
import { createRecorder } from './record-run';
import { mirrorRun, passRefs, showDetails, usageOf } from './run-mirror';
import { keepWarnings, knownState, newRunState, type RunState } from './run-state';
import { sectionsDone } from '../report/sections-done';
import { createRunClock, type RunClock } from './time-limit';

export type Activity<Input, Result> = ActivityFunctionWithOptions<(input: Input) => Promise<Result>>;

/** Has an activity carried out, unless the run is paused, under the given options; over outages, until it is done. */
export type Perform = <Input, Result>(
  activity: Activity<Input, Result>,
  request: Input,
  options: ActivityOptions,
) => Promise<Result>;

/** A run as its passes see it: its state, and the ways to have work done. */
export interface Run {
  readonly input: ReportRunInput;
  readonly brief: RunBrief;
  readonly state: RunState;
  readonly clock: RunClock;
  /** Tells everyone that a pass of `parts` parts begins. */
  enter(pass: PassName): Promise<void>;
  /** How many parts the pass has, and how many were done in an earlier history; progress counts them. */
  plan(parts: number, done?: number): void;
  /** That the pass is done with a section, whatever came of it. */
  finishSection(id: string): void;
  leave(pass: PassName): void;
  /** Has an activity carried out, unless the run is paused; `summary` is what the Web UI calls it. */
  carryOut<Input, Result>(activity: Activity<Input, Result>, input: Input, summary: string): Promise<Result>;
  /**
   * As `carryOut` for what may ask a model. It waits while calls that are under way may leave room in the budget for its
   * worst case; where there is none, or nothing usable comes of the answers, the extractive engine does it, which costs
   * nothing, and a warning says so.
   */
  ask: Ask;
  /** Has work done whether the run is paused or not; over outages, until it is done. */
  outlast: Outages['outlast'];
  warn(warning: Warning): Promise<void>;
  /** Notes for the reader, as a sentence, what could not be done and what stands in its place; the run ends partial. */
  fallShort(sentence: string): Promise<void>;
  /** `citations` is how many the report has, where there is one. */
  end(status: RunStatus, citations?: number): void;
  setStatus(status: RunStatus): void;
  /** Goes on in a fresh history where this one has grown long; it does not return then. */
  continueAsNewIfLong(): Promise<void>;
}

/** Takes up a run, its queries and signals; nothing is awaited before, so that none of them is missed. */
export function openRun(input: ReportRunInput, carried: RunState | undefined): Run {
  const state = knownState(carried) ?? newRunState(input, workflowInfo().startTime);
  const { runId, question, engine, stepVersions, synthesis } = input;
  const models = input.models ?? null;
  let pass: PassName = PASS_NAMES.find((name) => !state.finishedPasses.includes(name)) ?? 'report';
  let parts = { done: 0, of: 0 };
  /** Of the pass, in the order in which they were done. */
  let doneSections: string[] = [];
  let citations: number | null = null;
  let passSince = Date.now();
  let updatedAt = Date.now();
  /** Set where the run is more than running or paused. */
  let special: RunStatus | null = null;

  const gate = createPauseGate({
    paused: state.paused,
    onChange: () => {
      state.paused = gate.paused;
      if (gate.paused) clock.stop();
      else clock.start();
      tell();
    },
  });
  const clock = createRunClock(gate, { limitMs: input.budget.maxTimeMs, activeMs: state.activeMs });

  const outages = createOutages(
    input.outages,
    gate,
    {
      onChange: () => recorder.tellOutage(outages),
      onSpent: (usage) => {
        state.ledger = book(state.ledger, pass, usage);
      },
    },
    () => state.ledger.spent.outputTokens > 0,
  );

  const status = (): RunStatus => {
    if (special !== null) return special;
    if (gate.paused) return gate.draining ? 'pausing' : 'paused';
    return outages.waiting === null ? 'running' : 'waiting';
  };
  const counts = (): { sources: number; inFull: number } => ({
    sources: state.catalogue?.sources ?? input.sourceCount,
    inFull: synthesis.enableMultiPass ? synthesis.pass2FullContentCount : Infinity,
  });
  const progress = (): Progress => ({
    runId,
    kind: 'report',
    status: status(),
    pass: { number: passNumber(pass), of: LAST_PASS, name: pass, message: passMessage(pass, counts()) },
    section: sectionsDone(pass, state.sections, doneSections),
    percent: special === 'completed' || special === 'partial' ? 100 : percentDone(pass, parts),
    waiting: outages.waiting,
    parked: outages.parked,
    usage: state.ledger.spent,
    warnings: state.warnings,
    startedAt: state.startedAt,
    updatedAt: new Date(updatedAt).toISOString(),
  });
  /** To queries and the Web UI's details. */
  const note = (): void => {
    updatedAt = Date.now();
    showDetails({ progress: progress(), state, counts: counts(), doneSections, citations });
  };
  /** To the server's records too; each time costs the history two events. */
  const tell = (): void => {
    note();
    mirrorRun(
      progress(),
      { question, startedAt: state.startedAt, passRefs: passRefs(state), usage: usageOf(state) },
      input.searchAttributes,
    );
  };

  const recorder = createRecorder({
    runId,
    state,
    named: (summary) => named(summary),
    outlast: (attempt) => outages.outlast(attempt),
    place: () => passNumber(pass),
    note,
    tell,
  });

  const perform: Perform = async (activity, request, options) => {
    const result = await outages.outlast((trial) =>
      gate.pass(() => activity.executeWithOptions({ ...options, ...trial }, [request])),
    );
    parts.done += 1;
    note();
    return result;
  };

  const countTime = (of: PassName): void => {
    state.passMs[of] = (state.passMs[of] ?? 0) + Date.now() - passSince;
  };

  /** What the Web UI calls a piece of the pass's work. */
  const named = (summary: string): string => `pass ${passNumber(pass)} · ${summary}`;

  setHandler(progressQuery, progress);
  setHandler(usageQuery, () => usageOf(state));
  setHandler(outlineQuery, () =>
    state.outline === null
      ? null
      : {
          ref: state.outline.ref,
          sections: state.sections.map(({ id, sources }) => ({ id, sources })),
        },
  );
  setHandler(pauseSignal, () => gate.pause());
  setHandler(resumeSignal, () => {
    gate.resume();
    outages.tryNow();
  });
  // A new history starts with an empty memo.
  if (carried !== undefined) tell();

  const run: Run = {
    input,
    brief: {
      runId,
      question,
      engine,
      models,
      stepVersions,
      // All activities are told the settings; the rules, which may be many, only the one that needs them.
      synthesis: { ...synthesis, ...readable(input), sourceQualityRules: [] },
    },
    state,
    clock,
    async enter(next) {
      let begun = false;
      await recorder.record('begins', (record) =>
        gate.pass(() => {
          if (!begun) {
            begun = true;
            pass = next;
            parts = { done: 0, of: 0 };
            doneSections = [];
            passSince = Date.now();
            tell();
          }
          return record(openingEvents(input, pass, passMessage(pass, counts())));
        }),
      );
    },
    plan(of, done = 0) {
      parts = { done, of };
      note();
    },
    finishSection(id) {
      doneSections.push(id);
      note();
    },
    leave(left) {
      state.finishedPasses.push(left);
      countTime(left);
    },
    carryOut: (activity, request, summary) => perform(activity, request, { summary: named(summary) }),
    ask: (...asked) => ask(...asked),
    outlast: (attempt, options) => outages.outlast(attempt, options),
    async warn(warning) {
      keepWarnings(state, [warning]);
      await recorder.warn(warning);
    },
    async fallShort(sentence) {
      if (!state.shortfalls.includes(sentence)) state.shortfalls.push(sentence);
      await run.warn({ code: 'pass-failed', message: sentence });
    },
    setStatus(next) {
      special = next;
      tell();
    },
    end(next, cited) {
      citations = cited ?? null;
      state.ledger = release(state.ledger, REPORT_FUND);
      run.setStatus(next);
    },
    async continueAsNewIfLong() {
      const { continueAsNewSuggested, historyLength } = workflowInfo();
      if (!continueAsNewSuggested && historyLength < (input.continueAsNewAfterEvents ?? Infinity)) return;
      await condition(allHandlersFinished);
      if (!state.finishedPasses.includes(pass)) countTime(pass);
      state.activeMs = clock.activeMs();
      await continueAsNew<(input: ReportRunInput, carried: RunState) => Promise<unknown>>(input, state);
    },
  };
  const ask = createAsk({ run, named, perform, pass: () => pass });
  return run;
}

/** What a model reads of a source leaves room for the others of its section, of which there are no more than were given. */
function readable({ engine, sourceCount, synthesis: { pass2FullContentCount } }: ReportRunInput): {
  pass2FullContentCount: number;
} {
  return {
    pass2FullContentCount:
      engine === 'extractive' ? pass2FullContentCount : Math.min(pass2FullContentCount, sourceCount),
  };
}
