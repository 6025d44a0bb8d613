import type { ReportContext } from '../activities/ports';
import type { StoredVersion } from '../activities/report-versions';
import type { WriteTextActivityInput } from '../activities/write-report';
import { QUOTING_ENGINE } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import { forEachSection, sectionLabel, sectionName } from './report-findings';
import {
  gatheredSources,
  reportActivities,
  type ReportRun,
  type ReportText,
  saveSection,
  type SectionResult,
} from './report-state';
import { AUDIT_FALLBACK, auditAndMendText, judgeAndRevise, MEND_FALLBACK, type Version } from './revision';
import { orShortfall } from './run-parts';

interface WritingRefs {
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
}

const NO_TEXT_LEFT =
  'Pass 4 took out every cited sentence of the text, as the audit rejected them, so the report quotes its findings.';

/** Returns null if no text is left. */
export async function writeText(run: ReportRun, refs: WritingRefs): Promise<ArtifactRef | null> {
  const writtenRef = run.carried.textRef ?? (await draftText(run, refs));
  if (writtenRef === null) {
    run.carried.quotedSteps += 1;
    return null;
  }
  run.carried.textRef = writtenRef;
  const textRef = await auditAndMend(run, refs, writtenRef, { revision: 0 });
  if (textRef === null) {
    await run.addShortfall(NO_TEXT_LEFT);
    delete run.carried.textRef;
    return null;
  }
  run.carried.textRef = textRef;
  return textRef;
}

/** In one call, or section by section with the text so far and the summary last. */
async function draftText(run: ReportRun, refs: WritingRefs): Promise<ArtifactRef | null> {
  const { sectionIds } = await run.carryOut(
    reportActivities.planText,
    { run: run.facts, ...refs },
    'plan the text',
  );
  run.plan(Math.max(1, sectionIds.length) + 2);
  const planIsGiven = run.carried.outlineIsGiven === true || run.input.approval !== undefined;
  const write = async (part: WriteTextActivityInput['part'], name: string): Promise<ArtifactRef | null> => {
    const request = { run: run.facts, ...refs, planIsGiven, ...(part === undefined ? {} : { part }) };
    const written = await orShortfall(
      run,
      () => run.askModel(reportActivities.writeText, request, name, 'the findings are quoted'),
      (reason) =>
        run.addShortfall(`Pass 4 could not write the text (${reason}), so the report quotes its findings.`),
    );
    return written?.textRef ?? null;
  };
  if (sectionIds.length === 0) return write(undefined, 'write the text');
  let soFarRef: ArtifactRef | null = null;
  for (const [at, sectionId] of sectionIds.entries()) {
    const section: WriteTextActivityInput['part'] = { sectionId, sectionIds, soFarRef };
    soFarRef = (await write(section, `section ${at + 1} of ${sectionIds.length} · write`)) ?? soFarRef;
    run.finishPiece(sectionId);
  }
  if (soFarRef === null) return null;
  return (await write({ sectionId: null, sectionIds, soFarRef }, 'summary · write')) ?? soFarRef;
}

async function auditAndMend(
  run: ReportRun,
  { catalogueRef, outlineRef, validatedRef }: WritingRefs,
  textRef: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<ArtifactRef | null> {
  const request = { run: run.facts, catalogueRef, validatedRef };
  const checked = await auditAndMendText(
    run,
    {
      audit: (of, name) =>
        run.ask(reportActivities.auditText, { ...request, outlineRef, ...of }, name, AUDIT_FALLBACK),
      mend: (of, name) => run.askModel(reportActivities.mendText, { ...request, ...of }, name, MEND_FALLBACK),
      unaudited: (reason) =>
        run.addShortfall(`Pass 4 could not audit the text (${reason}), so it is unchecked.`),
    },
    textRef,
    from,
  );
  return checked?.textRef ?? null;
}

export async function quoteFindings(
  run: ReportRun,
  refs: WritingRefs,
  sections: readonly SectionResult[],
): Promise<void> {
  run.plan(sections.length + 1);
  const quoting: ReportContext = { ...run.facts, engine: QUOTING_ENGINE, models: null };
  const drafts = await forEachSection(run, sections, async ({ id, findingsRef }, index) => {
    if (findingsRef === null) return null;
    const request = { run: quoting, ...refs, sectionId: id };
    const written = await orShortfall(
      run,
      () => run.carryOut(reportActivities.writeSection, request, sectionLabel(sections, index, 'write')),
      (reason) =>
        run.addShortfall(
          `Pass 4 could not write ${sectionName(sections, id)} (${reason}), so its findings are listed instead.`,
        ),
    );
    if (written === null) return null;
    saveSection(run.carried, id, { draftRef: written.draftRef });
    return { sectionId: id, draftRef: written.draftRef };
  });
  run.carried.frameRef = await writeSummary(run, quoting, refs, drafts);
}

async function writeSummary(
  run: ReportRun,
  quoting: ReportContext,
  refs: WritingRefs,
  drafts: readonly ({ sectionId: string; draftRef: ArtifactRef } | null)[],
): Promise<ArtifactRef | null> {
  const request = { run: quoting, ...refs, drafts: drafts.filter((draft) => draft !== null) };
  const summary = await orShortfall(
    run,
    () => run.carryOut(reportActivities.writeSummary, request, 'summary'),
    (reason) =>
      run.addShortfall(
        `Pass 4 could not write the summary (${reason}); the report opens with its overall theme.`,
      ),
  );
  return summary?.frameRef ?? null;
}

/** Revision numbers per version. Audits use the numbers below the judge's. */
const REVISIONS_PER_VERSION = 10;

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
    assemble: (version) => assembleVersion(run, refs, version),
    revise: ({ text: from, judged: { judgementRef } }, parts, version) =>
      mendParagraphs(run, refs, from, { parts, judgementRef, version }),
  });
}

function assembleVersion(
  run: ReportRun,
  refs: WritingRefs,
  { n, text }: Pick<Version<ReportText>, 'n' | 'text'>,
): Promise<StoredVersion> {
  const { carried, input, facts } = run;
  const { manifestRef } = gatheredSources({ input, carried });
  const { shortfalls, warnings } = carried;
  return run.carryOut(
    reportActivities.assembleVersion,
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

async function mendParagraphs(
  run: ReportRun,
  refs: WritingRefs,
  { textRef }: ReportText,
  { parts, judgementRef, version }: { parts: string[]; judgementRef: string; version: number },
): Promise<{ text: ReportText; revised: string[] } | null> {
  const { catalogueRef, validatedRef } = refs;
  const revision = version * REVISIONS_PER_VERSION;
  const judged = { judgementRef, parts };
  const request = { run: run.facts, catalogueRef, validatedRef, textRef, revision, judged };
  const made = await orShortfall(
    run,
    () => run.askModel(reportActivities.mendText, request, 'mend for the judge', 'the text before it stands'),
    () => undefined,
  );
  if (made === null || made.changed.length === 0) return null;
  const from = { revision: revision + 1, only: made.changed };
  const checkedRef = await auditAndMend(run, refs, made.textRef, from);
  return checkedRef === null ? null : { text: { textRef: checkedRef }, revised: made.parts };
}
