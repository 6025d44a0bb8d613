import { judgeAndRevise } from '../run/judging/judge-and-revise';
import { bestVersion } from '../run/judging/versions';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import { assembling } from './assemble';
import type { BriefRun } from './brief-run';
import { materialChars } from './call-costs';
import type { Gathered, PartDraft, Planned } from './carried-brief';
import { reviseParts } from './writing/revise-parts';

/** Has the text judged, and revised where that may better it. Nothing is judged where nothing could be written. */
export async function judgeBrief(run: BriefRun, gathered: Gathered, planned: Planned): Promise<void> {
  const { carried, input } = run;
  if (!input.judge.enabled || carried.drafts.length === 0) return;
  run.plan(2, Math.min(1, carried.versions.length));
  await judgeAndRevise<PartDraft[]>(run, {
    pass: 'judge',
    settings: input.judge,
    versions: carried.versions,
    first: carried.drafts,
    // The text is hardly longer than what it is written from, and a judge has both.
    chars: 2 * materialChars(gathered),
    assemble: async (version) => {
      const request = assembling(run, version, { status: 'completed', endedEarly: null, isFinal: false });
      const { judgedRef, reportRef, markdownRef } = await run.carryOut(
        activities.assembleBrief,
        request,
        `version ${version.n} · put together`,
      );
      return { judgedRef, reportRef, markdownRef };
    },
    wanting: (text) => text.flatMap(({ partId, needsRetry }) => (needsRetry ? [partId] : [])),
    async revise(from, named, version) {
      carried.revising = version;
      const revised = await reviseParts(run, { gathered, planned }, from, named, version);
      delete carried.revising;
      return revised;
    },
    between: () => run.continueAsNewIfLong(),
  });
  await tellKept(run);
}

/** Where an earlier version is kept than the one that was written last, the log tells its parts again. */
async function tellKept(run: BriefRun): Promise<void> {
  const { versions } = run.carried;
  const [best, latest] = [bestVersion(versions), versions.at(-1)];
  if (best === null || latest === undefined || best.n === latest.n) return;
  const drafts = best.text
    .filter(({ draftRef }) => !latest.text.some((draft) => draft.draftRef === draftRef))
    .map(({ partId, draftRef }) => ({ partId, draftRef }));
  const request = { runId: run.input.runId, drafts };
  await orShortfall(
    run,
    () => run.carryOut(activities.tellParts, request, `version ${best.n} · tell its parts again`),
    () => undefined,
  );
}
