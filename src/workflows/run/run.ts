import type { ActivityFunctionWithOptions, ActivityOptions } from '@temporalio/workflow';
import type { RunFacts } from '../../activities/shared/ports';
import type { Spent } from '../../activities/shared/run-step';
import type { PassName } from '../../contracts/kinds';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunStatus, Warning } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import type { RunEventBody } from '../../contracts/run/event';
import type { Inbox } from './steering/inbox';
import type { Signals } from './steering/signals';
import type { Outages } from './outages/outages';
import type { RunClock } from './gate/time-limit';

export type Activity<Input, Result> = ActivityFunctionWithOptions<(input: Input) => Promise<Result>>;

/** Has an activity carried out, unless the run is paused, under the given options; over outages, until it is done. */
export type Perform = <Input, Result>(
  activity: Activity<Input, Result>,
  request: Input,
  options: ActivityOptions,
) => Promise<Result>;

export type Ask = <Input extends { run: RunFacts }, Result extends Spent>(
  activity: Activity<Input, Result>,
  input: Input,
  summary: string,
  instead?: string,
) => Promise<Result>;

export type AskModel = <Input extends { run: RunFacts }, Result extends Spent>(
  activity: Activity<Input, Result>,
  input: Input,
  summary: string,
  instead: string,
) => Promise<Result | null>;

export interface PassPlace {
  number: number;
  role: 'fast' | 'strong';
}

export interface Run<
  Input extends RunInput = RunInput,
  Carried extends CarriedRun = CarriedRun,
  Facts extends object = object,
> {
  readonly input: Input;
  readonly facts: Facts;
  readonly carried: Carried;
  readonly clock: RunClock;
  readonly lastPassNumber: number;
  /** Has every step from now on, in this history and the next, be given the prompts that are pinned there. */
  usePrompts(promptsRef: ArtifactRef): void;
  placeOf(pass: PassName): PassPlace;
  /** The first pass that is not finished; the last where all are. */
  unfinishedPass(): PassName;
  hasFindings(): boolean;
  /**
   * Carries a pass out, and gives what it made; `kept` says that where an earlier history did. Behind a pass that is not the
   * last the history may end, and the run goes on in a new one.
   */
  pass<Made>(name: PassName, work: () => Promise<Made>, kept: () => Made): Promise<Made>;
  /** How many parts the pass has, and how many were done in an earlier history; progress counts them. */
  plan(parts: number, done?: number): void;
  /** How many sources the pass reads, and how many an earlier history has read; progress counts them. */
  planSources(of: number, read: number): void;
  finishSources(amount: number): void;
  finishPiece(id: string): void;
  /** Has an activity carried out, unless the run is paused; `summary` is what the Web UI calls it. */
  carryOut<Input, Result>(activity: Activity<Input, Result>, input: Input, summary: string): Promise<Result>;
  /**
   * As `carryOut` for what may ask a model. It waits while calls that are under way may leave room in the budget for its
   * worst case; where there is none, or nothing usable comes of the answers, the extractive engine does it, which costs
   * nothing, and a warning says so.
   */
  ask: Ask;
  /** The same for what need not be done at all: null where no model can be asked, or nothing usable comes of it. */
  askModel: AskModel;
  /** Has work done whether the run is paused or not; over outages, until it is done. */
  outlast: Outages['outlast'];
  warn(warning: Warning): Promise<void>;
  /** Notes for the reader, as a sentence, what could not be done and what stands in its place; the run ends partial. */
  addShortfall(sentence: string): Promise<void>;
  /** `facts` say what the run has come to, for the Web UI. */
  end(status: RunStatus, facts?: readonly string[]): void;
  setStatus(status: RunStatus): void;
  readonly inbox: Inbox;
  readonly signals: Signals;
  /** Waits for somebody's approval with the clock stopped, and says so; `work` ends when there is no more to wait for. */
  awaitingApproval(work: () => Promise<void>): Promise<void>;
  /** Writes an event of the run's own into its log, once for each `ordinal`; what cannot be written is left out. */
  tellOnce(event: RunEventBody, ordinal: string | number): Promise<void>;
  outagesTold(): Promise<void>;
  publish(): void;
  readonly isPaused: boolean;
  /** Whether messages have made the history so long that who waits for nothing else should end it. */
  isCrowded(): boolean;
  /** Goes on in a fresh history where this one has grown long; it does not return then. */
  continueAsNewIfLong(): Promise<void>;
}
