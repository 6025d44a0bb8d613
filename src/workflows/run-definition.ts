import type { ActivityFunctionWithOptions, ActivityOptions } from '@temporalio/workflow';
import type { RunFacts } from '../activities/ports';
import type { Spent } from '../activities/run-step';
import type { RunEventBody } from '../contracts/event';
import type { PassName, PassRefs, Progress, RunKind, RunOutcome, RunStatus, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { Inbox, Signals } from './inbox';
import type { Outages, RunClock } from './outages';
import type { CarriedRun } from './run-state';

export interface Pass<Input, Carried> {
  readonly name: PassName;
  /** Whose work its calls are, where nothing else is said. */
  readonly role: 'fast' | 'strong';
  message(input: Input, carried: Carried): string;
}

export type FinalStatus = 'completed' | 'partial' | 'cancelled';

export type ReadInput<Input> = { input: Input } | { problems: string[] };

/** What a kind of run says of itself, and all that is asked of it: whatever else a run does is the same for every kind. */
export interface Kind<Input extends RunInput, Carried extends CarriedRun, Facts extends object> {
  readonly name: RunKind;
  /** In their order; how far the run is follows from it. */
  readonly passes: readonly Pass<Input, Carried>[];
  /** Checks what anybody gave, and fills in its defaults; `startedAt` is an ISO 8601 time. */
  readInput(given: unknown, run: { runId: string; startedAt: string }): ReadInput<Input>;
  begin(): Omit<Carried, keyof CarriedRun>;
  facts(input: Input, carried: Carried): Facts;
  /** How far a run is, 0–100, with `done` of the `of` parts of its pass. */
  percentDone(pass: PassName, parts: { done: number; of: number }): number;
  /** What a run's progress says of the pieces of a pass; `done` are their ids, in the order in which they were finished. */
  section(pass: PassName, carried: Carried, done: readonly string[]): Progress['section'];
  /** What the Web UI shows under the pass that goes on, as a Markdown list. */
  detailLines(pass: PassName, carried: Carried, done: readonly string[]): string[];
  passRefs(carried: Carried): PassRefs;
  /** Whether what there is by now would say anything, so that the run need not fail. */
  hasFindings(carried: Carried): boolean;
  /** What stands in the place of a pass that could not be finished, as the end of a sentence. */
  readonly insteadOfUnfinished: string;
  answerQueries(carried: Carried): void;
  takeMessages?(run: Run<Input, Carried, Facts>): void;
  /** How many lists of added sources wait to be taken up; none where it is absent. */
  sourcesWaiting?(carried: Carried, input: Input): number;
  carryOut(run: Run<Input, Carried, Facts>): Promise<void>;
  /** Stores what there is, whatever becomes of the run meanwhile, and closes its event log. */
  conclude(run: Run<Input, Carried, Facts>, status: FinalStatus): Promise<RunOutcome>;
}

export interface PassPlaces {
  readonly last: PassName;
  readonly lastNumber: number;
  placeOf(name: PassName): PassPlace;
  /** The first that is none of `finished`; the last where all are. */
  unfinished(finished: readonly PassName[]): PassName;
}

export function placesOf(passes: readonly Pick<Pass<never, never>, 'name' | 'role'>[]): PassPlaces {
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

interface PassPlace {
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
