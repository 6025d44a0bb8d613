import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import { computing } from '../run/activities';
import { endSearchRound, searchRound } from '../run/search/search-round';
import { orShortfall } from '../run/shortfall';
import type { AnswerRun } from './carried-answer';

/** What an answer may rest on, with what it looks for itself; it searches once, and goes on with what it has where that comes to nothing. */
export async function withFound(run: AnswerRun, admitted: AdmittedAnswer): Promise<AdmittedAnswer> {
  const { search, runId } = run.input;
  if (search === undefined) return admitted;
  const settled = await orShortfall(
    run,
    () => searchRound(run, { ...search, rounds: 1 }, { pass: 'answer', validatedRef: null }),
    (reason) =>
      run.addShortfall(
        `Nothing could be searched (${reason}): what is said rests on the sources that were given.`,
      ),
  );
  endSearchRound(run);
  const { manifestRef = null, sourceCount = 0, nothing = null } = settled ?? {};
  if (nothing !== null) await run.warn({ code: 'search', message: `Nothing was found to read: ${nothing}.` });
  if (manifestRef === null) return admitted;
  const request = { runId, manifestRef, sourceCount, givenRef: admitted.manifestRef };
  const { givenRef } = await run.carryOut(computing.admitSources, request, 'list the sources');
  return { ...admitted, manifestRef: givenRef ?? admitted.manifestRef, isIndexed: false };
}
