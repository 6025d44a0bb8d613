import { condition, proxyActivities } from '@temporalio/workflow';
import type { AdmittedSources } from '../activities/admit-run';
import type { ReportActivities } from '../activities/create-activities';
import type { ReportFacts } from '../activities/ports';
import { traitsOf } from '../contracts/pipeline';
import reportStart from '../contracts/schemas/report-start.json';
import type { ArtifactRef } from '../contracts/source';
import type { ReportRunInput } from '../contracts/start';
import { isRecord } from '../lib/json';
import type { JsonSchema } from '../lib/json-schema';
import { isSafePattern } from '../lib/strings';
import { fillDefaults, schemaProblems, startProblems } from './input';
import type { Version } from './revision';
import type { Run } from './run-definition';
import type { CarriedRun } from './run-state';
import { COMPUTING } from './steps';

/** A section on its way through the passes; a reference is null until its pass has left it. */
interface CarriedSection extends OutlinedSection {
  findingsRef: ArtifactRef | null;
  draftRef: ArtifactRef | null;
}

/**
 * What a report carries on from one history to the next: what its passes have made. They write it here as they make it, and
 * are given it as arguments; it is read where a history goes on from another, or where the report ends early. The names are
 * those of the first release.
 */
export interface CarriedReport extends CarriedRun {
  /** The plan, where pass 1 goes on in a new history behind it. */
  planned?: { planRef: ArtifactRef; sections: number };
  /** All sources that the run was given, where messages added some to those of its input; the new ones stand behind the others. */
  given?: GivenSources;
  /** Those of them that were gathered, or are being gathered; absent before pass 0. */
  taken?: GivenSources;
  /** An outline that somebody gave, and that is to be put in the place of the planned one. */
  wantedOutlineRef?: ArtifactRef;
  /** True where the outline is a person's: its sections are kept as they are. */
  outlineIsGiven?: true;
  /** How often an outline was settled; the first is the one of pass 1. */
  outlines?: number;
  /** `leftMs` is how long the run still waits for somebody to approve of the outline. */
  approval?: { leftMs: number; isAwaited: boolean; isOver: boolean };
  /** True once pass 2 has begun, or is about to: the outline stands from then on. */
  readingBegun?: true;
  /** True once the report is put together for the last time: nothing can be added any more. */
  closing?: true;
  catalogue: Catalogue | null;
  outline: { ref: ArtifactRef } | null;
  sections: CarriedSection[];
  rankingRef: ArtifactRef | null;
  readingRef?: ArtifactRef;
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
  /** A text by a model, which stands for drafts and frame; absent where sections are quoted. */
  textRef?: ArtifactRef;
  /** What was judged, or is to be; absent where nothing is. */
  versions?: Version<ReportText>[];
}

interface GivenSources {
  manifestRef: ArtifactRef;
  sourceCount: number;
  sourceChars?: number;
}

export function nothingMade(): Omit<CarriedReport, keyof CarriedRun> {
  return {
    catalogue: null,
    outline: null,
    sections: [],
    rankingRef: null,
    validatedRef: null,
    frameRef: null,
  };
}

export function keepCatalogue(carried: CarriedReport, catalogue: Catalogue): Catalogue {
  carried.catalogue = catalogue;
  delete carried.rounds;
  return catalogue;
}

export function keepOutline(carried: CarriedReport, { ref, sections }: Outline): Outline {
  carried.outline = { ref };
  // Where the sections stay, so do their findings and texts until the repeated passes replace them.
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

/** What a section has by now, as soon as it has it: a report that ends early is made of it. */
export function keepOfSection(
  carried: CarriedReport,
  id: string,
  made: Partial<Pick<CarriedSection, 'findingsRef' | 'draftRef'>>,
): void {
  for (const section of carried.sections) if (section.id === id) Object.assign(section, made);
}

export function keepReading(carried: CarriedReport, reading: Reading): void {
  carried.rankingRef = reading.rankingRef;
  if (reading.readingRef !== undefined) carried.readingRef = reading.readingRef;
}

/** Texts that an earlier reading led to cite other findings, so they go. */
export function keepValidated(carried: CarriedReport, validatedRef: ArtifactRef): ArtifactRef {
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

export function catalogueBefore({ catalogue }: CarriedReport): Catalogue {
  return artifactFor(catalogue, 'catalogue');
}

export function outlineBefore({ outline, sections }: CarriedReport): Outline {
  const planned = sections.map(({ id, sources }) => ({ id, sources }));
  return { ref: artifactFor(outline, 'outline').ref, sections: planned };
}

/** Null where nothing answers. */
export function readingBefore(carried: CarriedReport): Reading | null {
  const { noAnswer, sections, rankingRef, readingRef, validatedRef } = carried;
  if (noAnswer === true) return null;
  return {
    sections: sections.map(({ id, findingsRef }) => ({ id, findingsRef })),
    rankingRef,
    ...(readingRef === undefined ? {} : { readingRef }),
    ...(validatedRef === null ? {} : { validatedRef }),
  };
}

export function validatedBefore({ noAnswer, validatedRef }: CarriedReport): ArtifactRef | null {
  return noAnswer === true ? null : artifactFor(validatedRef, 'validatedRef');
}

/** A pass that was finished left what it makes: that it is missing is a mistake in the workflow. */
export function artifactFor<Made>(made: Made | null, name: string): Made {
  if (made === null) throw new Error(`The run's state has no ${name} at this point.`);
  return made;
}

export interface Catalogue {
  ref: ArtifactRef;
  sources: number;
  /** The list of what was gathered, in the order of the manifest. */
  gatheredRef: ArtifactRef;
  /** True if the model reads all sources whole in one call; absent otherwise. */
  isWhole?: true;
}

export interface OutlinedSection {
  id: string;
  sources: number;
}

/** What pass 1 makes; without sections where nothing answers. */
export interface Outline {
  ref: ArtifactRef;
  sections: readonly OutlinedSection[];
}

/** A section with what pass 2 has found for it; null where nothing could be taken. */
export interface FoundSection {
  id: string;
  findingsRef: ArtifactRef | null;
}

export interface Reading {
  /** In outline order. */
  sections: readonly FoundSection[];
  /** The sources ranked by what they gave; null where they could not be ranked. */
  rankingRef: ArtifactRef | null;
  /** Which sources were read together; absent where each section read its own. */
  readingRef?: ArtifactRef;
  /** Where no pass 3 follows: the findings as they are. */
  validatedRef?: ArtifactRef;
}

export interface ReportText {
  textRef: ArtifactRef;
}

export type ReportRun = Run<ReportRunInput, CarriedReport, ReportFacts>;

// A test holds that the schema has no other keywords.
const SCHEMA = reportStart as JsonSchema;

/** What stands in the place of sources that come by a message. */
const NO_SOURCES = { manifestRef: '', sourceCount: 0 };

export type ReadStart = { input: ReportRunInput } | { problems: string[] };

/**
 * What somebody gave the workflow as the input of a run, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readReportStart(
  given: unknown,
  run: { runId: string; startedAt: string },
  { sourcesMayCome = false } = {},
): ReadStart {
  const shape = schemaProblems(SCHEMA, given);
  const problems = [...sourcesMissing(given, sourcesMayCome && shape.length === 0), ...shape];
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
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

/** Sources are given whole, or not at all where they come by a message with the start. */
function sourcesMissing(given: unknown, mayCome: boolean): string[] {
  if (!isRecord(given)) return [];
  const { manifestRef, sourceCount, search } = given;
  const comeOtherwise = mayCome || search !== undefined;
  return comeOtherwise && manifestRef === undefined && sourceCount === undefined ? [] : missingSources(given);
}

export function missingSources(given: Record<string, unknown>): string[] {
  return (['manifestRef', 'sourceCount'] as const)
    .filter((name) => given[name] === undefined)
    .flatMap((name) => schemaProblems(SCHEMA.properties?.[name] ?? {}, undefined, name));
}

function settingsProblems(input: ReportRunInput): string[] {
  const { synthesis } = input;
  const { minCharsPerSource, maxCharsPerSource, maxTotalChars, sourceQualityRules } = synthesis;
  const problems = startProblems(input);
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

interface Sources {
  input: Pick<ReportRunInput, 'manifestRef' | 'sourceCount' | 'sourceChars'>;
  carried: Pick<CarriedReport, 'given' | 'taken' | 'catalogue'>;
}

export function givenSources({ input, carried }: Sources): GivenSources {
  if (carried.given !== undefined) return carried.given;
  const { manifestRef, sourceCount, sourceChars } = input;
  return { manifestRef, sourceCount, ...(sourceChars === undefined ? {} : { sourceChars }) };
}

/** Those that pass 0 has taken up, or a later round; all where none has begun. */
export function takenSources({ input, carried }: Sources): GivenSources {
  if (carried.taken !== undefined) return carried.taken;
  return givenSources({ input, carried: carried.catalogue === null ? carried : { catalogue: null } });
}

export function waitingSources(sources: Sources): number {
  return givenSources(sources).sourceCount - takenSources(sources).sourceCount;
}

export function withAdded(
  before: GivenSources,
  { givenRef, added, addedChars }: Pick<AdmittedSources, 'givenRef' | 'added' | 'addedChars'>,
): GivenSources {
  if (givenRef === null) return before;
  const { sourceCount: had, sourceChars: chars } = before;
  return {
    manifestRef: givenRef,
    sourceCount: had + added,
    ...(chars === undefined && had > 0 ? {} : { sourceChars: (chars ?? 0) + addedChars }),
  };
}

/** What activities are told of a report: its settings, but the rules, which may be many and which only one of them needs. */
export function reportFacts(input: ReportRunInput): ReportFacts {
  const { runId, question, engine, models = null, stepVersions, synthesis } = input;
  return {
    runId,
    question,
    engine,
    models,
    stepVersions,
    temperature: synthesis.temperature,
    synthesis: { ...synthesis, ...readable(input), sourceQualityRules: [] },
  };
}

export function refreshFacts({ input, carried, facts }: ReportRun): void {
  const { sourceCount } = takenSources({ input, carried });
  const { pass2FullContentCount } = readable({ ...input, sourceCount });
  Object.assign(facts.synthesis, { pass2FullContentCount });
}

/** What a model reads of a source leaves room for the others of its section, of which there are no more than were given. */
function readable({ engine, sourceCount, synthesis: { pass2FullContentCount } }: ReportRunInput): {
  pass2FullContentCount: number;
} {
  return {
    pass2FullContentCount: traitsOf(engine).asksModels
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

/**
 * Waits until somebody approves of the outline, or until the time for that is over, pauses not counted. It ends as well where a
 * message brings something to take up first, and where so many came that the history has to end; the rest of the time is kept.
 */
export async function awaitApproval(run: ReportRun): Promise<void> {
  const { carried, input } = run;
  const timeoutMs = input.approval?.timeoutMs ?? 0;
  const isFirst = carried.approval === undefined;
  const leftMs = carried.approval?.leftMs ?? timeoutMs;
  carried.approval = { leftMs, isAwaited: true, isOver: false };
  if (isFirst) await run.tellOnce({ type: 'approval-awaited', payload: { timeoutMs } }, 0);
  await run.awaitingApproval(async () => {
    while (isAwaited(run)) {
      if (run.isPaused) {
        await condition(() => !run.isPaused || !isAwaited(run));
        continue;
      }
      const since = Date.now();
      const left = carried.approval?.leftMs ?? 0;
      const isOther = await condition(() => run.isPaused || !isAwaited(run), Math.max(1, left));
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

function isApproved({ approval }: CarriedReport): boolean {
  return approval?.isOver === true;
}

function isAwaited(run: ReportRun): boolean {
  const { carried } = run;
  return (
    !isApproved(carried) &&
    carried.wantedOutlineRef === undefined &&
    waitingSources(run) === 0 &&
    !run.isCrowded()
  );
}

export function approvalLines(approval: CarriedReport['approval']): string[] {
  if (approval?.isAwaited !== true) return [];
  return [
    `  - Waits for the approval of the outline (update \`approveOutline\`), ${Math.ceil(approval.leftMs / 60_000)} min at most`,
  ];
}

/** What is done for a report; histories know each by its name here. */
export const activities = proxyActivities<ReportActivities>(COMPUTING);

/** Histories know it by an older name, which said less. */
export const findingsUnchecked = activities.keepFindings;
