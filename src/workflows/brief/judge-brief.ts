import type { AssembleBriefInput } from '../../activities/brief/assemble-brief';
import { judgeAndRevise } from '../run/judging/judge-and-revise';
import { judgeOf, type Version, type WholeVersion } from '../run/judging/versions';
import { usageOf } from '../run/publishing/run-mirror';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import { type BriefRun, type BriefText, type Gathered, shortfallsOf, textOf } from './carried-brief';
import { auditedText } from './writing/write-brief';

/** Revisions by audits come first, so those that a judge asks for have higher numbers. */
const REVISIONS_A_VERSION = 10;

/** Has the text judged, and its named parts mended where it does not pass. Nothing is judged where nothing could be written. */
export async function judgeBrief(run: BriefRun, gathered: Gathered): Promise<void> {
  const { carried, input } = run;
  const first = textOf(carried);
  if (!input.judge.enabled || (first.textRef === undefined && first.drafts.length === 0)) return;
  run.plan(2, Math.min(1, carried.versions.length));
  await judgeAndRevise<BriefText>(run, {
    settings: input.judge,
    versions: carried.versions,
    first,
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
      const revised = await mended(run, gathered, from, named, version);
      delete carried.revising;
      return revised;
    },
    between: () => run.continueAsNewIfLong(),
  });
}

/** Null where nothing came of it, so that the text before it stands and no audit or judge is paid for it. */
async function mended(
  run: BriefRun,
  gathered: Gathered,
  { text, judged: { judgementRef } }: WholeVersion<BriefText>,
  named: string[],
  version: number,
): Promise<{ text: BriefText; revised: string[] } | null> {
  const { textRef } = text;
  if (textRef === undefined || named.length === 0) return null;
  const { materialRef } = gathered;
  const revision = version * REVISIONS_A_VERSION;
  const request = { run: run.facts, materialRef, textRef, revision, judged: { judgementRef, parts: named } };
  const name = `version ${version} · mend for the judge`;
  const made = await orShortfall(
    run,
    () => run.askModel(activities.mendBrief, request, name, 'the text before it stands'),
    () => undefined,
  );
  if (made === null || made.changed.length === 0) return null;
  const from = { revision: revision + 1, only: made.changed };
  const after = await auditedText(run, gathered, made.textRef, from);
  return after === null ? null : { text: { ...text, textRef: after.textRef }, revised: made.parts };
}

export function assembling(
  run: BriefRun,
  version: Pick<Version<BriefText>, 'n' | 'text'>,
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
    ...version.text,
    judge: at.isFinal ? judgeOf(carried.versions) : null,
    shortfalls: shortfallsOf(carried),
    warnings: carried.warnings,
    usage: { ...total, byPass },
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    timings: { total: Date.now() - Date.parse(carried.startedAt), byPass: { ...carried.passMs } },
    asOf: input.asOf,
    ...(input.since === undefined ? {} : { since: input.since }),
  };
}
