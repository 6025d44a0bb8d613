import { workflowInfo } from '@temporalio/workflow';
import type { RunContext } from '../activities/ports';
import type { SettledSearch } from '../activities/search-results';
import type { PassName } from '../contracts/run';
import type { RunInput, RunSearch } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { Run } from './run-definition';
import { INITIAL_ROUND, INITIAL_SEARCH, type WorkflowState } from './run-state';
import { computeActivities } from './steps';

/** Ends a round whose results cannot be read. */
const TRIES_PER_PAGE = 3;

interface RoundOptions {
  pass: PassName;
  /** The findings with open questions; null before there are findings. */
  validatedRef: ArtifactRef | null;
  goOn?: () => Promise<void>;
}

/** Progress is carried state. Returns null if there are no new queries. */
export async function runSearchRound<Input extends RunInput & { asOf: string }>(
  run: Run<Input, WorkflowState, RunContext>,
  search: RunSearch,
  { pass, validatedRef, goOn }: RoundOptions,
): Promise<SettledSearch | null> {
  const carried = (run.carried.search ??= { ...INITIAL_SEARCH, resultsRefs: [] });
  const now = (carried.now ??= { ...INITIAL_ROUND });
  run.publish();
  const round = carried.rounds + 1;
  const { runId, asOf, question } = run.input;
  const identity = { runId, executionId: workflowInfo().firstExecutionRunId };
  const named = (what: string): string => (search.rounds === 1 ? what : `${what} · round ${round}`);
  if (now.queriesRef === undefined) {
    const planned = await run.ask(
      computeActivities.planQueries,
      {
        run: run.facts,
        pass: run.placeOf(pass).number,
        round,
        most: search.maxQueries,
        resultsRefs: carried.resultsRefs,
        validatedRef,
      },
      named('plan the search'),
    );
    if (planned.queries === 0) {
      delete carried.now;
      return null;
    }
    now.queriesRef = planned.queriesRef;
  }
  if (now.isAsked === undefined) {
    const request = { ...identity, search, queriesRef: now.queriesRef };
    const { resultsRef } = await run.carryOut(computeActivities.askIndexes, request, named('search'));
    carried.resultsRefs = [...carried.resultsRefs, resultsRef];
    now.isAsked = true;
  }
  const { resultsRefs } = carried;
  if (now.worksRef === undefined) {
    const request = { run: { runId, question }, resultsRefs, triedRef: carried.triedRef };
    Object.assign(
      now,
      await run.carryOut(computeActivities.chooseWorks, request, named('rank what was found')),
    );
    now.until = new Date(Date.now() + search.maxTimeMs).toISOString();
    run.publish();
  }
  const { worksRef = '', until = '' } = now;
  const most = Math.min(now.works, TRIES_PER_PAGE * search.maxPages);
  run.planSources(Math.min(now.works, search.maxPages), now.pages);
  while (now.isOver === null && now.next < most) {
    const left = { mostPages: search.maxPages - now.pages, mostBytes: search.maxBytes - now.bytes };
    const request = {
      ...identity,
      round,
      worksRef,
      triedRef: carried.triedRef,
      from: now.next,
      ...left,
      until,
      asOf,
    };
    const summary = named(`read what was found from ${now.next + 1}`);
    const read = await run.carryOut(computeActivities.readWorks, request, summary);
    carried.triedRef = read.triedRef;
    now.next = read.next;
    now.pages += read.pages;
    now.bytes += read.bytes;
    now.isOver = read.isOver ?? (now.pages >= search.maxPages && now.next < now.works ? 'pages' : null);
    run.finishSources(read.pages);
    await goOn?.();
  }
  const isOver = now.isOver ?? (now.next < now.works ? ('tries' as const) : null);
  const request = { runId, search, round, resultsRefs, triedRef: carried.triedRef, isOver };
  const settled = await run.carryOut(computeActivities.settleSearch, request, named('list what was found'));
  carried.accountRef = settled.accountRef;
  return settled;
}

export function endSearchRound({ carried: { search } }: Run): void {
  if (search === undefined) return;
  search.rounds += 1;
  delete search.now;
}
