import { judgeAndRevise } from '../run/judging/judge-and-revise';
import { bestVersion, type WholeVersion, judgeOf, type Version } from '../run/judging/versions';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import { type BriefRun, type Gathered, type PartDraft, type Planned, shortfallsOf } from './carried-brief';
import { audited, partName, requestOf, type PartToWrite, inWritingOrder } from './writing/write-brief';
import type { AssembleBriefInput } from '../../activities/brief/assemble-brief';
import { usageOf } from '../run/publishing/run-mirror';

/** Has the text judged, and revised where it does not pass. Nothing is judged where nothing could be written. */
export async function judgeBrief(run: BriefRun, gathered: Gathered, planned: Planned): Promise<void> {
  const { carried, input } = run;
  if (!input.judge.enabled || carried.drafts.length === 0) return;
  run.plan(2, Math.min(1, carried.versions.length));
  await judgeAndRevise<PartDraft[]>(run, {
    settings: input.judge,
    versions: carried.versions,
    first: carried.drafts,
    // The text is hardly longer than what it is written from, and a judge has both.
    assemble: async (version) => {
      const request = assembling(run, version, { status: 'completed', endedEarly: null, isFinal: false });
      const { judgedRef, reportRef, markdownRef } = await run.carryOut(
        activities.assembleBrief,
        request,
        `version ${version.n} · put together`,
      );
      return { judgedRef, reportRef, markdownRef };
    },
    async revise(from, named, version) {
      carried.revising = version;
      // An audit of a part starts no other attempt by itself.
      const wanting = from.text.flatMap(({ partId, needsRetry }) => (needsRetry ? [partId] : []));
      const parts = [...named, ...wanting];
      const revised = await reviseParts(run, { gathered, planned }, from, parts, version);
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

async function reviseParts(
  run: BriefRun,
  { gathered, planned }: { gathered: Gathered; planned: Planned },
  from: WholeVersion<PartDraft[]>,
  named: readonly string[],
  version: number,
): Promise<{ text: PartDraft[]; revised: string[] } | null> {
  const order = inWritingOrder(planned.parts.map(({ id }) => id)).filter((id) => named.includes(id));
  if (order.length === 0) return null;
  let text = from.text;
  const revised: string[] = [];
  run.plan(2 * order.length + 2);
  for (const partId of order) {
    const before = text.find((draft) => draft.partId === partId) ?? null;
    const part = { gathered, planned, partId, drafts: text };
    const after = await revisedPart(run, part, { before, from, version });
    if (after === null) continue;
    text = [...text.filter((draft) => draft.partId !== partId), after];
    revised.push(partId);
  }
  return revised.length === 0 ? null : { text, revised };
}

/** Null where nothing came of it, or the same again, so that the text before it stands and no audit or judge is paid for it. */
async function revisedPart(
  run: BriefRun,
  part: PartToWrite,
  { before, from, version }: { before: PartDraft | null; from: WholeVersion<PartDraft[]>; version: number },
): Promise<PartDraft | null> {
  const revises =
    before === null
      ? {}
      : {
          revises: {
            draftRef: before.draftRef,
            critiqueRef: before.critiqueRef,
            version,
            judgementRef: from.judged.judgementRef,
          },
        };
  const { planned, partId } = part;
  const written = await orShortfall(
    run,
    () =>
      run.askModel(
        activities.writeBriefPart,
        { ...requestOf(run, part), ...revises },
        `version ${version} · ${partName(planned, partId)} · revise`,
        'the text before it stands',
      ),
    () => undefined,
  );
  return written === null || written.isUnchanged === true ? null : audited(run, part, written, version);
}

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
