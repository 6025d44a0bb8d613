import type { PassName, PassRefs, RunKind } from '../../contracts/kinds';
import type { Progress, RunOutcome } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import type { Run, PassPlace } from './run';

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
