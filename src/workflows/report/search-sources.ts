import { ApplicationFailure } from '@temporalio/workflow';
import type { SettledSearch } from '../../activities/shared/search/settle-search';
import { computing } from '../run/activities';
import { invalidInput } from '../run/invalid-input';
import { endSearchRound, searchRound } from '../run/search/search-round';
import { orShortfall } from '../run/shortfall';
import { validatedBefore, type ReportRun } from './carried-report';
import { isBudgetSpent } from './steering/added-sources';
import { givenSources, withAdded } from './steering/given-sources';

const NOTHING_FOUND = 'NothingFound';

export async function findSources(run: ReportRun): Promise<void> {
  const { search } = run.input;
  if (search === undefined || (run.carried.search?.rounds ?? 0) > 0) return;
  const round = (): Promise<SettledSearch | null> =>
    searchRound(run, search, { pass: 'gather', validatedRef: null, ...goingOn(run) });
  const settled =
    givenSources(run).sourceCount === 0
      ? await round()
      : await orShortfall(run, round, (reason) =>
          run.addShortfall(
            `Nothing could be searched (${reason}): what is said rests on the sources that were given.`,
          ),
        );
  if (settled !== null) await joinFound(run, settled);
  endSearchRound(run);
  const { nothing } = settled ?? { nothing: 'the question has no words to search for' };
  if (givenSources(run).sourceCount > 0 || nothing === null) return;
  throw ApplicationFailure.nonRetryable(nothing, NOTHING_FOUND);
}

export async function searchForGaps(run: ReportRun): Promise<void> {
  const { input, carried } = run;
  const validatedRef = validatedBefore(carried);
  if (input.search === undefined || validatedRef === null || isBudgetSpent(run)) return;
  const { search } = input;
  if ((carried.search?.rounds ?? 0) >= search.rounds) return;
  const settled = await orShortfall(
    run,
    () => searchRound(run, search, { pass: 'report', validatedRef, ...goingOn(run) }),
    (reason) => run.addShortfall(`What the findings leave open could not be searched for (${reason}).`),
  );
  if (settled !== null) await joinFound(run, settled);
  endSearchRound(run);
}

/** Lists what was found behind what there is. What a message adds meanwhile stands before it. */
async function joinFound(run: ReportRun, { manifestRef, sourceCount }: SettledSearch): Promise<void> {
  if (manifestRef === null) return;
  for (;;) {
    const before = givenSources(run);
    const givenRef = before.sourceCount === 0 ? null : before.manifestRef;
    const request = { runId: run.input.runId, manifestRef, sourceCount, givenRef };
    const admitted = await run.carryOut(computing.admitSources, request, 'list the sources');
    if (admitted.problems.length > 0) throw invalidInput(run.input.kind, admitted.problems);
    if (givenSources(run).sourceCount !== before.sourceCount) continue;
    run.carried.given = withAdded(before, admitted);
    return;
  }
}

function goingOn(run: ReportRun): { goOn: () => Promise<void> } {
  return { goOn: () => run.continueAsNewIfLong() };
}
