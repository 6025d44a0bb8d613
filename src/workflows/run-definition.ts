import type { ActivityFunctionWithOptions, ActivityOptions } from '@temporalio/workflow';
import type { RunContext } from '../activities/ports';
import type { UsageAndWarnings } from '../activities/run-step';
import type { RunEventBody } from '../contracts/event';
import type { PassName, PassRefs, Progress, RunKind, RunOutcome, RunStatus, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { Inbox, Signals } from './inbox';
import type { Outages, RunClock } from './outages';
import type { WorkflowState } from './run-state';

export interface Pass<Input, Carried> {
  readonly name: PassName;
  readonly role: 'fast' | 'strong';
  message(input: Input, carried: Carried): string;
}

export type FinalStatus = 'completed' | 'partial' | 'cancelled';

export type ParsedInput<Input> = { input: Input } | { problems: string[] };

/** Everything that differs between kinds of runs. */
export interface RunDefinition<Input extends RunInput, Carried extends WorkflowState, Facts extends object> {
  readonly name: RunKind;
  readonly passes: readonly Pass<Input, Carried>[];
  readInput(given: unknown, run: { runId: string; startedAt: string }): ParsedInput<Input>;
  begin(): Omit<Carried, keyof WorkflowState>;
  facts(input: Input, carried: Carried): Facts;
  /** Progress in percent, 0–100. */
  percentDone(pass: PassName, parts: { done: number; of: number }): number;
  section(pass: PassName, carried: Carried, done: readonly string[]): Progress['section'];
  detailLines(pass: PassName, carried: Carried, done: readonly string[]): string[];
  passRefs(carried: Carried): PassRefs;
  hasFindings(carried: Carried): boolean;
  /** End of the sentence that explains an unfinished pass. */
  readonly insteadOfUnfinished: string;
  answerQueries(carried: Carried): void;
  takeMessages?(run: Run<Input, Carried, Facts>): void;
  sourcesWaiting?(carried: Carried, input: Input): number;
  carryOut(run: Run<Input, Carried, Facts>): Promise<void>;
  /** Runs regardless of cancellation, and closes the event log. */
  conclude(run: Run<Input, Carried, Facts>, status: FinalStatus): Promise<RunOutcome>;
}

export interface PassPositions {
  readonly last: PassName;
  readonly lastNumber: number;
  placeOf(name: PassName): PassPosition;
  unfinished(finished: readonly PassName[]): PassName;
}

export function passPositions(passes: readonly Pick<Pass<never, never>, 'name' | 'role'>[]): PassPositions {
  const last = passes.at(-1)?.name;
  if (last === undefined) throw new Error('A kind of run has one pass at least.');
  return {
    last,
    lastNumber: passes.length - 1,
    placeOf(wanted) {
      const number = passes.findIndex(({ name }) => name === wanted);
      const pass = passes[number];
      if (pass === undefined) throw new Error(`There is no pass ${wanted} in this kind of run.`);
      return { number, role: pass.role };
    },
    unfinished: (finished) => passes.find(({ name }) => !finished.includes(name))?.name ?? last,
  };
}

export type Activity<Input, Result> = ActivityFunctionWithOptions<(input: Input) => Promise<Result>>;

/** Runs an activity unless the run is paused, and retries it during outages. */
export type RunActivity = <Input, Result>(
  activity: Activity<Input, Result>,
  request: Input,
  options: ActivityOptions,
) => Promise<Result>;

export type Ask = <Input extends { run: RunContext }, Result extends UsageAndWarnings>(
  activity: Activity<Input, Result>,
  input: Input,
  summary: string,
  instead?: string,
) => Promise<Result>;

export type AskModel = <Input extends { run: RunContext }, Result extends UsageAndWarnings>(
  activity: Activity<Input, Result>,
  input: Input,
  summary: string,
  instead: string,
) => Promise<Result | null>;

interface PassPosition {
  number: number;
  role: 'fast' | 'strong';
}

export interface Run<
  Input extends RunInput = RunInput,
  Carried extends WorkflowState = WorkflowState,
  Facts extends object = object,
> {
  readonly input: Input;
  readonly facts: Facts;
  readonly carried: Carried;
  readonly clock: RunClock;
  readonly lastPassNumber: number;
  /** Pins the prompts of all later steps, in this and later histories. */
  usePrompts(promptsRef: ArtifactRef): void;
  placeOf(pass: PassName): PassPosition;
  unfinishedPass(): PassName;
  hasFindings(): boolean;
  /** Returns `kept()` if an earlier history finished the pass. May continue as new afterwards. */
  pass<Made>(name: PassName, work: () => Promise<Made>, kept: () => Made): Promise<Made>;
  plan(parts: number, done?: number): void;
  planSources(of: number, read: number): void;
  finishSources(amount: number): void;
  finishPiece(id: string): void;
  /** Runs an activity unless the run is paused. `summary` is its name in the Web UI. */
  carryOut<Input, Result>(activity: Activity<Input, Result>, input: Input, summary: string): Promise<Result>;
  /** If no model can be asked or its answer is unusable, the extractive engine runs the step. */
  ask: Ask;
  /** Like `ask`, but returns null instead of falling back. */
  askModel: AskModel;
  /** Runs work even while paused, and retries it during outages. */
  outlast: Outages['outlast'];
  warn(warning: Warning): Promise<void>;
  /** `sentence` tells the reader what failed and what replaces it. The run ends partial. */
  addShortfall(sentence: string): Promise<void>;
  end(status: RunStatus, facts?: readonly string[]): void;
  setStatus(status: RunStatus): void;
  readonly inbox: Inbox;
  readonly signals: Signals;
  /** Stops the clock until `work` ends. */
  awaitingApproval(work: () => Promise<void>): Promise<void>;
  /** Writes one event per `ordinal`. A failed write is skipped. */
  tellOnce(event: RunEventBody, ordinal: string | number): Promise<void>;
  outagesTold(): Promise<void>;
  publish(): void;
  readonly isPaused: boolean;
  /** True if waiting code should return, because messages made the history long. */
  isCrowded(): boolean;
  /** Does not return if it continues as new. */
  continueAsNewIfLong(): Promise<void>;
}
