import type { ArtifactRef } from '../../contracts/run/artifact';
import type { CarriedRun } from '../run/carried-run';
import type { Version } from '../run/judging/versions';
import type { ReportFacts } from '../../activities/shared/ports';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { Run } from '../run/run';

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

export interface GivenSources {
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
