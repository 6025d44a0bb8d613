import type { AssembleBriefInput } from '../../activities/brief/assemble-brief';
import { judgeOf, type Version } from '../run/judging/versions';
import { usageOf } from '../run/publishing/run-mirror';
import type { BriefRun } from './brief-run';
import { type PartDraft, shortfallsOf } from './carried-brief';

/** What the activity is told that puts a version of a brief together. */
export function assembling(
  run: BriefRun,
  version: Pick<Version<PartDraft[]>, 'n' | 'text'>,
  at: Pick<AssembleBriefInput, 'status' | 'endedEarly' | 'isFinal'>,
): AssembleBriefInput {
  const { carried, facts, input } = run;
  const { total, byPass } = usageOf(carried);
  return {
    run: facts,
    ...at,
    version: version.n,
    materialRef: carried.gathered?.materialRef ?? null,
    planRef: carried.planned?.planRef ?? null,
    drafts: version.text.map(({ partId, draftRef }) => ({ partId, draftRef })),
    judge: at.isFinal ? judgeOf(carried.versions) : null,
    shortfalls: shortfallsOf(carried, version.text),
    warnings: carried.warnings,
    usage: { ...total, byPass },
    timings: { total: Date.now() - Date.parse(carried.startedAt), byPass: { ...carried.passMs } },
    asOf: input.asOf,
    ...(input.since === undefined ? {} : { since: input.since }),
  };
}
