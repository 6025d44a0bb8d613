import type { StoredVersion } from '../../../activities/report/writing/assemble-version';
import { judgeAndRevise } from '../../run/judging/judge-and-revise';
import type { Version } from '../../run/judging/versions';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { ReportRun, ReportText } from '../carried-report';
import { takenSources } from '../steering/given-sources';
import { auditedText, type WritingRefs } from './write-text';

/** Revisions by audits come first, so those that a judge asks for have higher numbers. */
const REVISIONS_A_VERSION = 10;

/** Has the report judged, and its named paragraphs mended where it does not pass. The best version is concluded with. */
export async function judgeReport(
  run: ReportRun,
  { refs, text }: { refs: WritingRefs; text: ReportText },
): Promise<void> {
  const { carried, input } = run;
  const { judge: settings } = input;
  if (settings?.enabled !== true) return;
  carried.versions = [];
  await judgeAndRevise(run, {
    settings,
    versions: carried.versions,
    first: text,
    assemble: (version) => assembled(run, refs, version),
    revise: ({ text: from, judged: { judgementRef } }, parts, version) =>
      mended(run, refs, from, { parts, judgementRef, version }),
  });
}

function assembled(
  run: ReportRun,
  refs: WritingRefs,
  { n, text }: Pick<Version<ReportText>, 'n' | 'text'>,
): Promise<StoredVersion> {
  const { carried, input, facts } = run;
  const { manifestRef } = takenSources({ input, carried });
  const { shortfalls, warnings } = carried;
  return run.carryOut(
    activities.assembleVersion,
    {
      run: facts,
      version: n,
      manifestRef,
      asOf: input.asOf,
      ...refs,
      sections: carried.sections.map(({ id, findingsRef }) => ({
        sectionId: id,
        findingsRef,
        draftRef: null,
      })),
      frameRef: null,
      textRef: text.textRef,
      shortfalls,
      warnings,
    },
    `assemble version ${n}`,
  );
}

async function mended(
  run: ReportRun,
  refs: WritingRefs,
  { textRef }: ReportText,
  { parts, judgementRef, version }: { parts: string[]; judgementRef: string; version: number },
): Promise<{ text: ReportText; revised: string[] } | null> {
  const { catalogueRef, validatedRef } = refs;
  const revision = version * REVISIONS_A_VERSION;
  const judged = { judgementRef, parts };
  const request = { run: run.facts, catalogueRef, validatedRef, textRef, revision, judged };
  const made = await orShortfall(
    run,
    () => run.askModel(activities.mendText, request, 'mend for the judge', 'the text before it stands'),
    () => undefined,
  );
  if (made === null || made.changed.length === 0) return null;
  const from = { revision: revision + 1, only: made.changed };
  const checkedRef = await auditedText(run, refs, made.textRef, from);
  return checkedRef === null ? null : { text: { textRef: checkedRef }, revised: made.parts };
}
