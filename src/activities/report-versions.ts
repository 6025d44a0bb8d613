import { modelNames, NO_USAGE } from '../contracts/budget';
import { ReportSummary, SectionDraft, WrittenText } from '../contracts/draft';
import { SectionFindings, ValidatedFindings } from '../contracts/finding';
import type { JudgedVersion } from '../contracts/judgement';
import { Outline } from '../contracts/outline';
import { Report } from '../contracts/report';
import type { RunOutcome, RunStatus } from '../contracts/run';
import { type PreviousRun, SearchLog } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, type CataloguedSource, SourceManifest } from '../contracts/source';
import { markUnvalidated } from '../evidence/corroboration';
import { citedIds } from '../lib/citation-marks';
import { assembleReport as assemble } from '../report/assemble-report';
import { nearestSources, type ReportParts } from '../report/chapters';
import { judgedReport } from '../report/judged-documents';
import { relevantSourceIds } from '../report/ranked-outline';
import { nearDuplicatesOf } from '../report/sources-read';
import { reportPartsOfText } from '../report/text-in-report';
import { judge } from '../steps/judge';
import { REPORT_STEPS } from './admit-run';
import { readCached, readOptional, storeArtifact } from './artifacts';
import { openCatalogue } from './catalogue';
import { readJudgement } from './judge-and-mend';
import type { ActivityPorts, ReportContext } from './ports';
import { openSectionStream } from './publish-events';
import { usedPrompts } from './run-step';
import { changesSincePrevious } from './scheduled-runs';
import { SECTION_WRITER } from './write-section';

export interface AssembleReportInput extends WrittenParts {
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null if it finished. */
  endedEarly: string | null;
  shortfalls: string[];
  noAnswer?: boolean;
  asOf: string;
  usage: Report['usage'];
  estimate?: Report['estimate'];
  timings: Report['timings'];
  /** Judgement of the kept version; absent if there is none. */
  judge?: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] };
  since?: PreviousRun;
  searchRef?: ArtifactRef;
}

export interface AssembledReport extends RunOutcome {
  citations: number;
}

export async function assembleReport(
  ports: ActivityPorts,
  input: AssembleReportInput,
): Promise<AssembledReport> {
  const { run, status, endedEarly, shortfalls, noAnswer, estimate, usage, timings } = input;
  const { content, events } = ports;
  const parts = await readWrittenParts(ports, input);
  const judge = input.judge === undefined ? null : await readJudgement(content, input.judge);
  const traceId = await ports.traces.idOf(run);
  const runtime = { ...ports.runtime, ...(traceId === null ? {} : { traceId }) };
  const whole = {
    id: run.runId,
    status,
    endedEarly,
    shortfalls,
    noAnswer,
    estimate,
    usage,
    timings,
    judge,
    search: await readOptional(content, input.searchRef ?? null, SearchLog),
    ...parts,
    provenance: await reportProvenance(ports, input, { runtime, isJudged: judge !== null }),
    given: await readGivenSources(ports, input, parts.warnings),
  };
  // Compares the report without its own list of changes.
  const since = await changesSincePrevious(content, input.since, {
    schema: Report,
    asReport: (before: Report) => before,
    manifestRef: input.manifestRef ?? undefined,
    after: () => assemble(whole).report,
  });
  const { report, markdown } = assemble({ ...whole, since });
  const reportRef = await storeArtifact(content, run.runId, report);
  const markdownRef = await content.store(run.runId, markdown);
  if (judge !== null && judge.version !== judge.versions.at(-1)?.n)
    await streamKeptVersion(ports, run.runId, parts);
  const { uniqueCitations: total, coverage } = report.citationReport;
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'citation-stats' }), {
    type: 'citation-stats',
    payload: { total, coverage },
  });
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'run-completed' }), {
    type: 'run-completed',
    payload: { status, reportRef, markdownRef },
  });
  return { runId: run.runId, status, reportRef, markdownRef, citations: total };
}

/** Undefined if the run ended before it had sources. */
async function readGivenSources(
  { content }: Pick<ActivityPorts, 'content'>,
  { manifestRef, catalogueRef }: WrittenParts,
  warnings: Report['warnings'],
): Promise<ReportParts['given']> {
  if (manifestRef === null) return undefined;
  const { sources } = await readCached(content, manifestRef, SourceManifest);
  const catalogue = catalogueRef === null ? null : await openCatalogue(content, catalogueRef);
  const nearDuplicates = new Map<string, string>();
  for await (const part of catalogue?.parts() ?? [])
    for (const [id, original] of nearDuplicatesOf(part)) nearDuplicates.set(id, original);
  return { sources, warnings, merged: catalogue?.merged ?? [], nearDuplicates };
}

async function streamKeptVersion(
  { events }: ActivityPorts,
  runId: string,
  { drafts }: Pick<ReportParts, 'drafts'>,
): Promise<void> {
  for (const { sectionId, draft } of drafts) {
    const stream = await openSectionStream(events, runId, sectionId, SECTION_WRITER);
    await stream.finish(draft.markdown);
  }
}

async function reportProvenance(
  ports: Pick<ActivityPorts, 'content'>,
  { run, asOf }: { run: ReportContext; asOf: string },
  { runtime, isJudged }: Pick<Report['provenance'], 'runtime'> & { isJudged: boolean },
): Promise<Report['provenance']> {
  const steps = REPORT_STEPS.filter((name) => isJudged || name !== judge.name);
  return {
    engine: run.engine,
    models: run.models ? modelNames(run.models) : {},
    steps: run.stepVersions,
    ...(await usedPrompts(ports, run, steps)),
    asOf,
    runtime,
  };
}

export interface AssembleVersionInput extends WrittenParts {
  /** From 1. */
  version: number;
  shortfalls: string[];
  asOf: string;
}

export interface StoredVersion {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

/** Omits run-specific data, so that the same version of another run has the same reference. */
export async function assembleVersion(
  ports: ActivityPorts,
  input: AssembleVersionInput,
): Promise<StoredVersion> {
  const { run, version, shortfalls } = input;
  const { content } = ports;
  const parts = await readWrittenParts(ports, input);
  const provenance = await reportProvenance(ports, input, { runtime: NO_RUNTIME, isJudged: false });
  const whole = {
    id: `version-${version}`,
    status: 'completed' as const,
    endedEarly: null,
    shortfalls,
    judge: null,
    usage: { ...NO_USAGE, byPass: {} },
    timings: { total: 0, byPass: {} },
    provenance,
    ...parts,
  };
  const assembled = assemble(whole);
  const { report, markdown } = assembled;
  // The judge always reads numbered citations, so that the style does not affect the score.
  const judged =
    whole.synthesis.citationStyle === 'numbered' ? assembled : assemble(withNumberedCitations(whole));
  const [judgedRef, reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, run.runId, judgedReport(whole, judged)),
    storeArtifact(content, run.runId, report),
    content.store(run.runId, markdown),
  ]);
  return { judgedRef, reportRef, markdownRef };
}

function withNumberedCitations(parts: ReportParts): ReportParts {
  return { ...parts, synthesis: { ...parts.synthesis, citationStyle: 'numbered' } };
}

const NO_RUNTIME: Report['provenance']['runtime'] = { colligate: '', node: '' };

export interface WrittenParts {
  run: ReportContext;
  /** Null if the run ended before it had sources. */
  manifestRef: ArtifactRef | null;
  catalogueRef: ArtifactRef | null;
  outlineRef: ArtifactRef | null;
  sections: { sectionId: string; findingsRef: ArtifactRef | null; draftRef: ArtifactRef | null }[];
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
  textRef?: ArtifactRef;
  /** Warnings of the run; those of the import are in the manifest. */
  warnings: Report['warnings'];
}

async function readWrittenParts(
  { content }: Pick<ActivityPorts, 'content'>,
  { run, sections, ...refs }: WrittenParts,
): Promise<
  Pick<
    ReportParts,
    | 'question'
    | 'synthesis'
    | 'sourcesGiven'
    | 'catalogue'
    | 'outline'
    | 'findings'
    | 'conflicts'
    | 'gaps'
    | 'drafts'
    | 'frame'
    | 'text'
    | 'readInFull'
    | 'retrievals'
    | 'warnings'
  >
> {
  const manifest =
    refs.manifestRef === null ? null : await readCached(content, refs.manifestRef, SourceManifest);
  const validated = await readOptional(content, refs.validatedRef, ValidatedFindings);
  const found = await Promise.all(
    sections.map(({ findingsRef }) => readOptional(content, findingsRef, SectionFindings)),
  );
  const drafts = await Promise.all(
    sections.map(({ draftRef }) => readOptional(content, draftRef, SectionDraft)),
  );
  const text = await readOptional(content, refs.textRef ?? null, WrittenText);
  const findings =
    validated?.sections ?? found.flatMap((section) => (section === null ? [] : markUnvalidated(section)));
  const planned = await readOptional(content, refs.outlineRef, Outline);
  const frame = await readOptional(content, refs.frameRef, ReportSummary);
  const conflicts = validated?.conflicts ?? [];
  const written = sections.flatMap(({ sectionId }, index) => {
    const draft = drafts[index];
    return draft ? [{ sectionId, draft }] : [];
  });
  const catalogue = refs.catalogueRef === null ? null : await openCatalogue(content, refs.catalogueRef);
  const named = referencedSources({ outline: planned, findings, conflicts, drafts: written, frame, text });
  const sources = (await catalogue?.named(named)) ?? new Map<string, CataloguedSource>();
  const own =
    text === null || planned === null
      ? null
      : reportPartsOfText(text, validated?.followUps ?? [], {
          outline: planned,
          findings: findings.flatMap((section) => section.findings),
          sources,
        });
  return {
    question: run.question,
    synthesis: run.synthesis,
    sourcesGiven: manifest?.sources.length ?? 0,
    catalogue:
      catalogue === null
        ? null
        : {
            sources: [...sources.values()],
            counts: catalogue.counts,
            merged: catalogue.merged,
            count: catalogue.ids.length,
            furtherParts: catalogue.furtherParts,
          },
    outline: own?.outline ?? planned,
    findings,
    conflicts,
    gaps: validated?.gaps ?? [],
    drafts: own?.drafts ?? written,
    frame: own?.frame ?? frame,
    ...(own === null || text === null || planned === null
      ? {}
      : { text: { planned, gaps: own.gaps, isChecked: text.isChecked } }),
    readInFull: [
      ...new Set([
        ...found.flatMap((section) => section?.readInFull ?? []),
        ...(validated?.readInFull ?? []),
        // The writer reads the text of each source that it cites.
        ...(text?.statements ?? []).flatMap(({ sourceIds }) =>
          sourceIds.filter((id) => sources.get(id)?.summaryOnly !== true),
        ),
      ]),
    ],
    retrievals: totalRetrievals(found.flatMap((section) => section ?? [])),
    warnings: [...(manifest?.warnings ?? []), ...refs.warnings],
  };
}

function totalRetrievals(sections: readonly SectionFindings[]): Report['sources']['retrievals'] {
  const total = { requested: 0, found: 0, missing: 0, chars: 0 };
  for (const { retrievals } of sections) {
    total.requested += retrievals.requested;
    total.found += retrievals.found;
    total.missing += retrievals.missing;
    total.chars += retrievals.chars;
  }
  return total;
}

type ReferencingParts = Pick<ReportParts, 'outline' | 'findings' | 'conflicts' | 'drafts' | 'frame'> & {
  text: WrittenText | null;
};

/** All sources that the report or its judge may name; only these are loaded. */
function referencedSources({
  outline,
  findings,
  conflicts,
  drafts,
  frame,
  text: written,
}: ReferencingParts): Set<string> {
  const texts = [...drafts.map(({ draft }) => draft.markdown), ...(frame?.bullets ?? [])];
  return new Set([
    ...(written?.statements ?? []).flatMap(({ sourceIds }) => sourceIds),
    ...(written?.removed ?? []).flatMap(({ sourceIds }) => sourceIds),
    ...relevantSourceIds(outline),
    ...(nearestSources({ outline, noAnswer: true }) ?? []),
    ...findings.flatMap((section) =>
      section.findings.flatMap(({ citations, evidence }) => [
        ...citations,
        ...evidence.map(({ sourceId }) => sourceId),
      ]),
    ),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ citations }) => citations)),
    ...texts.flatMap((text) => citedIds(text)),
  ]);
}
