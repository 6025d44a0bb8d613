import type { ArtifactRef } from '../../contracts/run/artifact';
import { keepWarnings } from '../run/carried-run';
import { inParallel } from '../run/in-parallel';
import { orShortfall } from '../run/shortfall';
import { shapeOfRun } from '../run/batches';
import { activities } from './activities';
import type { BriefRun, Gathered } from './carried-brief';

const BY_WORDS = 'what words alone cannot decide of it is unchecked';

/**
 * What the subtopics say, statement by statement, with one index of what they cite. Where texts of sources were given, each
 * summary is held against its own; what they do not bear is set aside.
 */
export async function gather(run: BriefRun, subtopicsRef: ArtifactRef | null): Promise<Gathered> {
  const { facts, carried, input } = run;
  if (subtopicsRef === null) throw new Error('A brief is gathered in its first history.');
  const { materialRef, subtopics, statements, sources, inFull, warnings } = await run.carryOut(
    activities.gatherBrief,
    { run: facts, subtopicsRef, asOf: input.asOf },
    'read the subtopics',
  );
  keepWarnings(carried, warnings);
  carried.gathered = { materialRef, subtopics, statements, sources, inFull };
  if (inFull === 0) return carried.gathered;
  run.plan(subtopics.length + 1);
  const checksRefs = await checkedSummaries(run, carried.gathered);
  const settled = await run.carryOut(
    activities.settleMaterial,
    { run: facts, materialRef, checksRefs },
    'sort the checks',
  );
  carried.gathered = { ...carried.gathered, materialRef: settled.materialRef };
  return carried.gathered;
}

async function checkedSummaries(run: BriefRun, { materialRef, subtopics }: Gathered): Promise<ArtifactRef[]> {
  const { carried } = run;
  carried.checked = 0;
  const { atOnce } = shapeOfRun(run.input);
  const checked = await inParallel(subtopics, atOnce, async ({ id }, index) => {
    const place = `summary ${index + 1} of ${subtopics.length}`;
    const made = await orShortfall(
      run,
      () =>
        run.ask(
          activities.checkSummaries,
          { run: run.facts, materialRef, subtopicId: id },
          `${place} · check`,
          BY_WORDS,
        ),
      (reason) =>
        run.addShortfall(
          `Pass 0 could not check ${place} against its sources (${reason}); its statements stand as they were given.`,
        ),
    );
    carried.checked = (carried.checked ?? 0) + 1;
    run.finishPiece(id);
    return made?.checksRef ?? null;
  });
  return checked.flatMap((checksRef) => checksRef ?? []);
}
