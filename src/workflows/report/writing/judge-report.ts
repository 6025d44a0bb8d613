import type { StoredVersion } from '../../../activities/report/writing/assemble-version';
import { SUMMARY } from '../../../core/report/summary-part';
import { inParallel } from '../../run/in-parallel';
import { judgeAndRevise } from '../../run/judging/judge-and-revise';
import type { Version } from '../../run/judging/versions';
import { shapeOfRun } from '../../run/batches';
import { activities } from '../activities';
import { takenSources } from '../steering/given-sources';
import type { ReportText, ReportRun } from '../carried-report';
import { reviseSection, type WritingRefs } from './write-section';
import { reviseSummary } from './write-summary';

interface Writing {
  refs: WritingRefs;
}

/**
 * Has the report judged, and revised where it does not pass; the versions are carried, and the best of them is concluded with.
 */
export async function judgeReport(
  run: ReportRun,
  { text, ...writing }: Writing & { text: ReportText },
): Promise<void> {
  const { carried, input } = run;
  const { judge: settings } = input;
  if (settings?.enabled !== true) return;
  carried.versions = [];
  await judgeAndRevise(run, {
    settings,
    versions: carried.versions,
    first: text,
    assemble: (version) => assembled(run, writing, version),
    revise: ({ text: from, judged: { judgementRef } }, parts, version) =>
      revised(run, writing, from, { parts, judgementRef, version }),
  });
}

function assembled(
  run: ReportRun,
  { refs }: Writing,
  { n, text }: Pick<Version<ReportText>, 'n' | 'text'>,
): Promise<StoredVersion> {
  const { carried, input, facts } = run;
  const { asOf } = input;
  const { manifestRef } = takenSources({ input, carried });
  const { shortfalls, warnings } = carried;
  const drafts = new Map(text.sections.map(({ sectionId, draftRef }) => [sectionId, draftRef]));
  const sections = carried.sections.map(({ id: sectionId, findingsRef }) => ({
    sectionId,
    findingsRef,
    draftRef: drafts.get(sectionId) ?? null,
  }));
  return run.carryOut(
    activities.assembleVersion,
    {
      run: facts,
      version: n,
      manifestRef,
      asOf,
      ...refs,
      sections,
      frameRef: text.frameRef,
      shortfalls,
      warnings,
    },
    `assemble version ${n}`,
  );
}

/** The parts that were named and may be written anew, the summary behind the sections of which it tells. */
async function revised(
  run: ReportRun,
  { refs }: Writing,
  from: ReportText,
  told: { parts: readonly string[]; version: number; judgementRef: string },
): Promise<{ text: ReportText; revised: string[] }> {
  const { parts, version, judgementRef } = told;
  const { atOnce } = shapeOfRun(run.input);
  const all = from.sections.map(({ sectionId }) => ({ id: sectionId }));
  const anew = await inParallel(from.sections, atOnce, async (text, index) => {
    if (!parts.includes(text.sectionId)) return null;
    return reviseSection(run, { id: text.sectionId, index, sections: all, refs }, text, judgementRef);
  });
  const sections = from.sections.map((text, index) => anew[index] ?? text);
  const drafts = sections.map(({ sectionId, draftRef }) =>
    draftRef === null ? null : { sectionId, draftRef },
  );
  const frameRef =
    from.frameRef !== null && parts.includes(SUMMARY)
      ? await reviseSummary(run, refs, drafts, { version, judgementRef })
      : null;
  return {
    text: { sections, frameRef: frameRef ?? from.frameRef },
    revised: [...anew.flatMap((text) => text?.sectionId ?? []), ...(frameRef === null ? [] : [SUMMARY])],
  };
}
