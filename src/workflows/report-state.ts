import { condition, proxyActivities } from '@temporalio/workflow';
import type { AdmittedSources } from '../activities/admit-run';
import type { ReportActivities } from '../activities/create-activities';
import type { ReportContext } from '../activities/ports';
import { capabilitiesOf } from '../contracts/pipeline';
import reportStart from '../contracts/schemas/report-start.json';
import type { ArtifactRef } from '../contracts/source';
import type { ReportRunInput } from '../contracts/start';
import { isRecord } from '../lib/json';
import type { JsonSchema } from '../lib/json-schema';
import { isSafePattern } from '../lib/strings';
import { fillDefaults, inputProblems, schemaProblems } from './input';
import type { Version } from './revision';
import type { Run } from './run-definition';
import type { WorkflowState } from './run-state';
import { COMPUTE_OPTIONS } from './steps';

interface SectionState extends SectionSources {
  findingsRef: ArtifactRef | null;
  draftRef: ArtifactRef | null;
}

/** A partial report is built from this state. Field names are persisted. */
export interface ReportState extends WorkflowState {
  /** Set while pass 1 continues in a new history. */
  planned?: { planRef: ArtifactRef; sections: number };
  /** All given sources, if messages added some. New ones come last. */
  given?: InputSources;
  /** The sources gathered or being gathered; absent before pass 0. */
  taken?: InputSources;
  wantedOutlineRef?: ArtifactRef;
  /** A person's outline: its sections are not changed. */
  outlineIsGiven?: true;
  outlines?: number;
  /** `leftMs` is the remaining time to wait for approval. */
  approval?: { leftMs: number; isAwaited: boolean; isOver: boolean };
  /** True once pass 2 begins; the outline can no longer change. */
  readingBegun?: true;
  /** True once the final report is assembled; nothing can be added. */
  closing?: true;
  catalogue: Catalogue | null;
  outline: { ref: ArtifactRef } | null;
  sections: SectionState[];
  rankingRef: ArtifactRef | null;
  readingRef?: ArtifactRef;
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
  /** Text by a model, used instead of drafts and frame; absent if sections are quoted. */
  textRef?: ArtifactRef;
  /** Versions for the judge; absent if the judge is disabled. */
  versions?: Version<ReportText>[];
}

interface InputSources {
  manifestRef: ArtifactRef;
  sourceCount: number;
  sourceChars?: number;
}

export function initialReportState(): Omit<ReportState, keyof WorkflowState> {
  return {
    catalogue: null,
    outline: null,
    sections: [],
    rankingRef: null,
    validatedRef: null,
    frameRef: null,
  };
}

export function saveCatalogue(carried: ReportState, catalogue: Catalogue): Catalogue {
  carried.catalogue = catalogue;
  delete carried.rounds;
  return catalogue;
}

export function saveOutline(carried: ReportState, { ref, sections }: Outline): Outline {
  carried.outline = { ref };
  // Unchanged sections keep their findings and drafts until the repeated passes replace them.
  carried.sections = sections.map(({ id, sources }) => ({
    findingsRef: null,
    draftRef: null,
    ...carried.sections.find((section) => section.id === id),
    id,
    sources,
  }));
  delete carried.rounds;
  delete carried.planned;
  return { ref, sections };
}

export function saveSection(
  carried: ReportState,
  id: string,
  made: Partial<Pick<SectionState, 'findingsRef' | 'draftRef'>>,
): void {
  for (const section of carried.sections) if (section.id === id) Object.assign(section, made);
}

export function saveReading(carried: ReportState, reading: ReadingResult): void {
  carried.rankingRef = reading.rankingRef;
  if (reading.readingRef !== undefined) carried.readingRef = reading.readingRef;
}

/** Drops texts that cite the findings of an earlier reading. */
export function saveValidated(carried: ReportState, validatedRef: ArtifactRef): ArtifactRef {
  carried.validatedRef = validatedRef;
  carried.sections = carried.sections.map(({ id, sources, findingsRef }) => ({
    id,
    sources,
    findingsRef,
    draftRef: null,
  }));
  carried.frameRef = null;
  delete carried.textRef;
  delete carried.versions;
  return validatedRef;
}

export function storedCatalogue({ catalogue }: ReportState): Catalogue {
  return requireArtifact(catalogue, 'catalogue');
}

export function storedOutline({ outline, sections }: ReportState): Outline {
  const planned = sections.map(({ id, sources }) => ({ id, sources }));
  return { ref: requireArtifact(outline, 'outline').ref, sections: planned };
}

/** Null if nothing answers. */
export function storedReading(carried: ReportState): ReadingResult | null {
  const { noAnswer, sections, rankingRef, readingRef, validatedRef } = carried;
  if (noAnswer === true) return null;
  return {
    sections: sections.map(({ id, findingsRef }) => ({ id, findingsRef })),
    rankingRef,
    ...(readingRef === undefined ? {} : { readingRef }),
    ...(validatedRef === null ? {} : { validatedRef }),
  };
}

export function storedValidatedRef({ noAnswer, validatedRef }: ReportState): ArtifactRef | null {
  return noAnswer === true ? null : requireArtifact(validatedRef, 'validatedRef');
}

/** Throws if a finished pass has no result, which is a bug in the workflow. */
export function requireArtifact<Made>(made: Made | null, name: string): Made {
  if (made === null) throw new Error(`The run's state has no ${name} at this point.`);
  return made;
}

export interface Catalogue {
  ref: ArtifactRef;
  sources: number;
  gatheredRef: ArtifactRef;
  /** True if the model reads all sources whole in one call. */
  isWhole?: true;
}

export interface SectionSources {
  id: string;
  sources: number;
}

export interface Outline {
  ref: ArtifactRef;
  sections: readonly SectionSources[];
}

/** `findingsRef` is null if the section has no findings. */
export interface SectionResult {
  id: string;
  findingsRef: ArtifactRef | null;
}

export interface ReadingResult {
  sections: readonly SectionResult[];
  rankingRef: ArtifactRef | null;
  /** Groups of sources read together; absent if each section read its own. */
  readingRef?: ArtifactRef;
  /** Unvalidated findings of a run without pass 3. */
  validatedRef?: ArtifactRef;
}

export interface ReportText {
  textRef: ArtifactRef;
}

export type ReportRun = Run<ReportRunInput, ReportState, ReportContext>;

// A test checks that the schema uses supported keywords only.
const SCHEMA = reportStart as JsonSchema;

/** Placeholder until a message adds sources. */
const NO_SOURCES = { manifestRef: '', sourceCount: 0 };

export type ParsedReportInput = { input: ReportRunInput } | { problems: string[] };

/** Does not use zod, which is too large for the workflow sandbox. `startedAt` is ISO 8601. */
export function parseReportInput(
  given: unknown,
  run: { runId: string; startedAt: string },
  { sourcesMayCome = false } = {},
): ParsedReportInput {
  const shape = schemaProblems(SCHEMA, given);
  const problems = [...sourceProblems(given, sourcesMayCome && shape.length === 0), ...shape];
  if (problems.length > 0) return { problems };
  const filled = fillDefaults(SCHEMA, given) as ReportRunInput;
  const input = {
    ...NO_SOURCES,
    ...filled,
    asOf: (filled.asOf as string | undefined) ?? run.startedAt,
    runId: run.runId,
  };
  const further = settingsProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}

/** Sources may be absent if a search or a message adds them. */
function sourceProblems(given: unknown, mayCome: boolean): string[] {
  if (!isRecord(given)) return [];
  const { manifestRef, sourceCount, search } = given;
  const comeOtherwise = mayCome || search !== undefined;
  return comeOtherwise && manifestRef === undefined && sourceCount === undefined
    ? []
    : missingSourceProblems(given);
}

export function missingSourceProblems(given: Record<string, unknown>): string[] {
  return (['manifestRef', 'sourceCount'] as const)
    .filter((name) => given[name] === undefined)
    .flatMap((name) => schemaProblems(SCHEMA.properties?.[name] ?? {}, undefined, name));
}

function settingsProblems(input: ReportRunInput): string[] {
  const { synthesis } = input;
  const { minCharsPerSource, maxCharsPerSource, maxTotalChars, sourceQualityRules } = synthesis;
  const problems = inputProblems(input);
  if (minCharsPerSource > maxCharsPerSource)
    problems.push(
      `synthesis.minCharsPerSource is ${minCharsPerSource}; allowed: at most what synthesis.maxCharsPerSource is (${maxCharsPerSource})`,
    );
  if (maxCharsPerSource > maxTotalChars)
    problems.push(
      `synthesis.maxCharsPerSource is ${maxCharsPerSource}; allowed: at most what synthesis.maxTotalChars is (${maxTotalChars})`,
    );
  for (const [index, { domains, hostStarts, path }] of sourceQualityRules.entries()) {
    const rule = `synthesis.sourceQualityRules[${index}]`;
    if ((domains ?? hostStarts ?? path) === undefined)
      problems.push(`${rule} has none of domains, hostStarts and path; allowed: a rule with at least one`);
    if (path !== undefined && !isSafePattern(path))
      problems.push(`${rule}.path is no regular expression, or one with a repetition of a repetition`);
  }
  return problems;
}

interface SourceState {
  input: Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>;
  carried: Pick<ReportState, 'given' | 'taken' | 'catalogue'>;
}

export function inputSources({ input, carried }: SourceState): InputSources {
  if (carried.given !== undefined) return carried.given;
  const { manifestRef, sourceCount, sourceChars } = input;
  return { manifestRef, sourceCount, ...(sourceChars === undefined ? {} : { sourceChars }) };
}

/** The sources gathered by pass 0 or a later round; all given sources before pass 0. */
export function gatheredSources({ input, carried }: SourceState): InputSources {
  if (carried.taken !== undefined) return carried.taken;
  return inputSources({ input, carried: carried.catalogue === null ? carried : { catalogue: null } });
}

export function pendingSourceCount(sources: SourceState): number {
  return inputSources(sources).sourceCount - gatheredSources(sources).sourceCount;
}

export function appendSources(
  before: InputSources,
  { givenRef, added, addedChars }: Pick<AdmittedSources, 'givenRef' | 'added' | 'addedChars'>,
): InputSources {
  if (givenRef === null) return before;
  const { sourceCount: had, sourceChars: chars } = before;
  return {
    manifestRef: givenRef,
    sourceCount: had + added,
    ...(chars === undefined && had > 0 ? {} : { sourceChars: (chars ?? 0) + addedChars }),
  };
}

/** Without quality rules, which may be many and which one activity needs. */
export function reportFacts(input: ReportRunInput): ReportContext {
  const { runId, question, engine, models = null, stepVersions, synthesis } = input;
  return {
    runId,
    question,
    engine,
    models,
    stepVersions,
    temperature: synthesis.temperature,
    synthesis: { ...synthesis, ...readLimits(input), sourceQualityRules: [] },
  };
}

export function updateFacts({ input, carried, facts }: ReportRun): void {
  const { sourceCount } = gatheredSources({ input, carried });
  const { pass2FullContentCount } = readLimits({ ...input, sourceCount });
  Object.assign(facts.synthesis, { pass2FullContentCount });
}

/** More room per source where few were given. */
function readLimits({ engine, sourceCount, synthesis: { pass2FullContentCount } }: ReportRunInput): {
  pass2FullContentCount: number;
} {
  return {
    pass2FullContentCount: capabilitiesOf(engine).asksModels
      ? Math.min(pass2FullContentCount, sourceCount)
      : pass2FullContentCount,
  };
}

export function needsApproval({ input, carried }: ReportRun): boolean {
  return (
    input.approval !== undefined &&
    carried.approval?.isOver !== true &&
    carried.noAnswer !== true &&
    carried.sections.length > 0
  );
}

/** Returns early if a message needs handling or the history is full; the remaining time is kept. */
export async function awaitApproval(run: ReportRun): Promise<void> {
  const { carried, input } = run;
  const timeoutMs = input.approval?.timeoutMs ?? 0;
  const isFirst = carried.approval === undefined;
  const leftMs = carried.approval?.leftMs ?? timeoutMs;
  carried.approval = { leftMs, isAwaited: true, isOver: false };
  if (isFirst) await run.tellOnce({ type: 'approval-awaited', payload: { timeoutMs } }, 0);
  await run.awaitingApproval(async () => {
    while (isAwaitingApproval(run)) {
      if (run.isPaused) {
        await condition(() => !run.isPaused || !isAwaitingApproval(run));
        continue;
      }
      const since = Date.now();
      const left = carried.approval?.leftMs ?? 0;
      const isOther = await condition(() => run.isPaused || !isAwaitingApproval(run), Math.max(1, left));
      if (carried.approval?.isAwaited !== true) break;
      carried.approval.leftMs = Math.max(0, left - (Date.now() - since));
      if (!isOther) carried.approval = { leftMs: 0, isAwaited: false, isOver: true };
    }
  });
  if (!isApproved(carried)) return;
  const by = carried.appliedCounts?.approveOutline === undefined ? 'timeout' : 'approval';
  await run.tellOnce({ type: 'approval-over', payload: { by } }, 0);
  if (by === 'timeout')
    await run.warn({
      code: 'not-approved',
      message: 'Nobody approved of the outline in the time that there was, so the report goes on with it.',
    });
}

function isApproved({ approval }: ReportState): boolean {
  return approval?.isOver === true;
}

function isAwaitingApproval(run: ReportRun): boolean {
  const { carried } = run;
  return (
    !isApproved(carried) &&
    carried.wantedOutlineRef === undefined &&
    pendingSourceCount(run) === 0 &&
    !run.isCrowded()
  );
}

export function approvalLines(approval: ReportState['approval']): string[] {
  if (approval?.isAwaited !== true) return [];
  return [
    `  - Waits for the approval of the outline (update \`approveOutline\`), ${Math.ceil(approval.leftMs / 60_000)} min at most`,
  ];
}

export const reportActivities = proxyActivities<ReportActivities>(COMPUTE_OPTIONS);

/** Histories know this activity by its old name. */
export const findingsUnchecked = reportActivities.keepFindings;
