import type { ReportContext } from '../activities/ports';
import type { RankSourcesInput } from '../activities/section-findings';
import { capabilitiesOf } from '../contracts/pipeline';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import { reportNoAnswer } from './report-outline';
import {
  type Catalogue,
  findingsUnchecked,
  type Outline,
  type ReadingResult,
  reportActivities,
  type ReportRun,
  saveReading,
  saveSection,
  saveValidated,
  type SectionResult,
  type SectionSources,
} from './report-state';
import { mapParallel, orShortfall } from './run-parts';
import { runShape } from './steps';

/** Pass 2. A failed section uses its summaries. Returns null if all sources were read without findings. */
export async function deepDive(
  run: ReportRun,
  catalogue: Catalogue,
  outline: Outline,
): Promise<ReadingResult | null> {
  if (outline.sections.length === 0) return null;
  const inGroups = readsInGroups(run);
  if (!inGroups) run.plan(outline.sections.length + 1);
  const facts = { ...run.facts, synthesis: readingSettings(run, catalogue) };
  const from = { facts, catalogueRef: catalogue.ref, outline };
  const grouped = inGroups ? await readInGroups(run, from) : null;
  const read = grouped ?? (await readBySection(run, from));
  await reportUnread(run, outline, read.failures);
  if (read.findings === 0 && read.failures.length === 0) {
    await reportNoAnswer(run);
    return null;
  }
  const { sections } = read;
  const request = { run: run.facts, outlineRef: outline.ref, findingsRefs: sectionFindingsRefs(sections) };
  const reading: ReadingResult =
    grouped === null
      ? { sections, rankingRef: await rankSources(run, request) }
      : { sections, rankingRef: grouped.rankingRef, readingRef: grouped.readingRef };
  saveReading(run.carried, reading);
  if (run.input.synthesis.enableMultiPass) return reading;
  // A single pass skips the cross-check.
  return { ...reading, validatedRef: await markUnvalidated(run, sections) };
}

async function readBySection(
  run: ReportRun,
  { facts, catalogueRef, outline }: ReadRequest,
): Promise<ReadSections> {
  const failures: SectionFailure[] = [];
  let findings = 0;
  const sections = await forEachSection(run, outline.sections, async (section, index) => {
    const { id } = section;
    const request = { run: facts, catalogueRef, outlineRef: outline.ref, sectionId: id };
    const part = (what: string): string => sectionLabel(outline.sections, index, what);
    const found =
      (await orShortfall(
        run,
        () => run.ask(reportActivities.deepDiveSection, request, part('extract')),
        (reason) => void failures.push({ section, reason }),
      )) ?? (await run.carryOut(reportActivities.takeSummaries, request, part('take summaries')));
    const { findingsRef } = found;
    saveSection(run.carried, id, { findingsRef });
    findings += found.findings;
    return { id, findingsRef };
  });
  return { sections, findings, failures };
}

/** Null if the ranking failed; pass 3 then uses the outline's order. */
async function rankSources(run: ReportRun, request: RankSourcesInput): Promise<ArtifactRef | null> {
  const ranking = await orShortfall(
    run,
    () => run.carryOut(reportActivities.rankSources, request, 'rank sources'),
    (reason) =>
      run.addShortfall(
        `Pass 2 could not rank the sources by what they gave (${reason}); they are checked in the order of the outline.`,
      ),
  );
  return ranking?.rankingRef ?? null;
}

/** About the length of a summary. */
const EXCERPT_LIMITS = { maxCharsPerSource: 1_000, minCharsPerSource: 500 };

function readingSettings({ facts: { synthesis } }: ReportRun, { sources }: Catalogue): SynthesisSettings {
  if (synthesis.enableMultiPass) return synthesis;
  return { ...synthesis, ...EXCERPT_LIMITS, pass2FullContentCount: sources };
}

async function reportUnread(
  run: ReportRun,
  { sections }: Outline,
  failures: readonly SectionFailure[],
): Promise<void> {
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === sections.length) {
    await run.addShortfall(
      `Pass 2 could not read the sources (${first.reason}), so the report rests on the outline and the summaries.`,
    );
    return;
  }
  for (const { section, reason } of failures) {
    await run.addShortfall(
      `Pass 2 could not read the sources of ${sectionName(sections, section.id)} (${reason}), so it rests on their summaries.`,
    );
  }
}

interface ReadRequest {
  facts: ReportContext;
  catalogueRef: string;
  outline: Outline;
}

interface ReadSections {
  sections: SectionResult[];
  findings: number;
  failures: SectionFailure[];
}

interface SectionFailure {
  section: SectionSources;
  reason: string;
}

/** A model reads shared sources once for all sections, because its input is paid for. */
function readsInGroups({ input }: ReportRun): boolean {
  return capabilitiesOf(input.engine).readsInGroups;
}

/** Each group of sources is read once for all its sections. */
async function readInGroups(
  run: ReportRun,
  { facts, catalogueRef, outline }: ReadRequest,
): Promise<ReadSections & Pick<ReadingResult, 'rankingRef' | 'readingRef'>> {
  const outlineRef = outline.ref;
  const refs = { run: facts, catalogueRef, outlineRef };
  const { readingRef, calls } = await run.carryOut(reportActivities.planReading, refs, 'plan the reading');
  run.plan(calls + 2);
  const { atOnce } = runShape(run.input);
  let reason = '';
  const read = await mapParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orShortfall(
      run,
      () =>
        run.ask(
          reportActivities.extractGroup,
          { ...refs, readingRef, call },
          `sources ${call + 1}/${calls} · extract`,
        ),
      (why) => void (reason = why),
    ),
  );
  const groupRefs = read.map((group) => group?.groupRef ?? null);
  const settled = await run.carryOut(
    reportActivities.settleFindings,
    { run: facts, outlineRef, readingRef, groupRefs },
    'sort the findings',
  );
  const failures: SectionFailure[] = [];
  const sections: SectionResult[] = [];
  let findings = 0;
  for (const section of outline.sections) {
    const found = settled.sections.find(({ sectionId }) => sectionId === section.id);
    let findingsRef = found?.findingsRef ?? null;
    saveSection(run.carried, section.id, { findingsRef });
    let count = found?.findings ?? 0;
    if (found !== undefined && found.missed > 0) {
      if (count === 0) {
        const request = { run: run.facts, catalogueRef, outlineRef, sectionId: section.id };
        const taken = await run.carryOut(reportActivities.takeSummaries, request, 'take summaries');
        findingsRef = taken.findingsRef;
        saveSection(run.carried, section.id, { findingsRef });
        count = taken.findings;
        failures.push({ section, reason });
      } else {
        await run.addShortfall(
          `Pass 2 could not read some of the sources of ${sectionName(outline.sections, section.id)} (${reason}).`,
        );
      }
    }
    sections.push({ id: section.id, findingsRef });
    findings += count;
    run.finishPiece(section.id);
  }
  return { sections, findings, failures, rankingRef: settled.rankingRef, readingRef };
}

export async function markUnvalidated(
  run: ReportRun,
  sections: readonly SectionResult[],
): Promise<ArtifactRef> {
  const request = { run: run.facts, findingsRefs: sectionFindingsRefs(sections) };
  const { validatedRef } = await run.carryOut(findingsUnchecked, request, 'keep the findings');
  return saveValidated(run.carried, validatedRef);
}

export function sectionFindingsRefs(sections: readonly SectionResult[]): string[] {
  return sections.flatMap(({ findingsRef }) => findingsRef ?? []);
}

export async function forEachSection<Section extends { id: string }, Result>(
  run: ReportRun,
  sections: readonly Section[],
  work: (section: Section, index: number) => Promise<Result>,
): Promise<Result[]> {
  const { atOnce } = runShape(run.input);
  return mapParallel(sections, atOnce, async (section, index) => {
    const result = await work(section, index);
    run.finishPiece(section.id);
    return result;
  });
}

/** A neutral name such as `section 2 of 5`: histories must not contain text by a model. */
export function sectionName(sections: readonly { id: string }[], id: string): string {
  const at = sections.findIndex((section) => section.id === id) + 1;
  return `section ${at} of ${sections.length}`;
}

export function sectionLabel(sections: readonly unknown[], index: number, what: string): string {
  return `section ${index + 1}/${sections.length} · ${what}`;
}
