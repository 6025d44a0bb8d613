import { z } from 'zod';
import { NO_USAGE } from '../contracts/budget';
import {
  GivenOutline,
  Outline,
  OutlinePlan,
  type OutlineSection,
  type RankedSection,
} from '../contracts/outline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import type { PlacedSection } from '../evidence/placement';
import { citationUrl } from '../lib/url';
import { schemaProblemTexts } from '../lib/validation';
import {
  descriptionOf,
  joinPlans,
  questionOutline,
  SOMEWHAT_RELEVANT,
  sourcesByWords,
  themeOfTitles,
} from '../report/ranked-outline';
import type { SectionScope } from '../steps/material';
import {
  mergeOutlines as mergeOutlinesStep,
  outline,
  scoreRelevance,
  ScoreRelevanceOutput,
} from '../steps/outline-sections';
import type { ContentStore } from '../stores/content-store';
import { MissingArtifactError, readArtifact, readCached, readLists, storeArtifact } from './artifacts';
import {
  type Catalogue,
  openCatalogue,
  questionRelevance,
  readPass1Sources,
  summarisedSources,
  topicRelevance,
  wholeSources,
} from './catalogue';
import type { ActivityPorts, ReportContext } from './ports';
import { runStep, type UsageAndWarnings, withThreadSlot } from './run-step';

export interface PlanOutlineInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  /** Indexes among the sources of pass 1; `to` is exclusive. */
  from: number;
  to: number;
}

export interface PlannedOutline extends UsageAndWarnings {
  planRef: ArtifactRef;
  /** 0 if no source answers the question. */
  sections: number;
}

/** Pass 1: plans the report from all sources if they fit into one call, else from summaries. */
export async function planOutline(
  ports: ActivityPorts,
  { run, catalogueRef, from, to }: PlanOutlineInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { output, ...spent } = await withThreadSlot(ports, run, signal, async () => {
    const sources = await readPass1Sources(ports, run, catalogue, { from, to, signal });
    // `pass1SummaryCount` may leave some out.
    const texts =
      sources.length === catalogue.ids.length ? await wholeSources(ports, run, { catalogue }, signal) : null;
    const input = {
      question: run.question,
      sources,
      ...(texts === null ? {} : { texts }),
      counts: catalogue.counts,
    };
    return runStep(ports, run, outline, input, { place: { pass: 1, ordinal: from }, signal });
  });
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}

export interface MergeOutlinesActivityInput {
  run: ReportContext;
  /** In the order of their sources. */
  planRefs: ArtifactRef[];
}

export async function mergeOutlines(
  ports: ActivityPorts,
  { run, planRefs }: MergeOutlinesActivityInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const plans = await Promise.all(planRefs.map((ref) => readArtifact(ports.content, ref, OutlinePlan)));
  const answering = plans.filter(({ sections }) => sections.length > 0);
  // Fewer than two non-empty plans need no engine.
  const { output, ...spent } =
    answering.length < 2
      ? { output: joinPlans(plans), usage: NO_USAGE, warnings: [] }
      : await runStep(
          ports,
          run,
          mergeOutlinesStep,
          { question: run.question, plans: answering },
          { place: { pass: 1 }, signal },
        );
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}

export interface ScoreSourcesInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  planRef: ArtifactRef;
  /** Indexes in the catalogue; `to` is exclusive. */
  from: number;
  to: number;
}

export interface ScoredSources extends UsageAndWarnings {
  scoresRef: ArtifactRef;
}

export async function scoreSources(
  ports: ActivityPorts,
  { run, catalogueRef, planRef, from, to }: ScoreSourcesInput,
  signal: AbortSignal,
): Promise<ScoredSources> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { sections } = await readCached(ports.content, planRef, OutlinePlan);
  const { output, ...spent } = await withThreadSlot(ports, run, signal, async () => {
    const sources = await summarisedSources(ports, await catalogue.between(from, to));
    const input = { question: run.question, sections, sources };
    return runStep(ports, run, scoreRelevance, input, { place: { pass: 1, ordinal: from }, signal });
  });
  return { scoresRef: await storeArtifact(ports.content, run.runId, output), ...spent };
}

export interface SettleOutlineInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  /** Null if there is no plan; the report then has one section, titled with the question. */
  planRef: ArtifactRef | null;
  scoreRefs: ArtifactRef[];
  /** Artifacts that list further score references. */
  scoreListRefs?: ArtifactRef[];
  /** True for a person's outline: its sections stay as they are. */
  keepsSections?: boolean;
  /** Number of earlier outlines of the run; absent for the first. */
  ordinal?: number;
}

/** Limits of the event: sources per section, characters of an address. */
const MAX_EVENT_SOURCES = 15;
const MAX_ADDRESS_CHARS = 300;

export interface SettledOutline {
  outlineRef: ArtifactRef;
  /** `sources` counts somewhat relevant ones. Titles stay in the store: the history has no model text. */
  sections: { id: string; sources: number }[];
}

/** Ends pass 1: ranks every source for every section. Uses no engine. */
export async function settleOutline(
  ports: ActivityPorts,
  {
    run,
    catalogueRef,
    planRef,
    scoreRefs,
    scoreListRefs = [],
    keepsSections = false,
    ordinal,
  }: SettleOutlineInput,
  signal: AbortSignal,
): Promise<SettledOutline> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const plan =
    planRef === null
      ? questionOutline(run.question, catalogue.ids, await questionRelevance(ports, run, catalogue, signal))
      : await readCached(ports.content, planRef, OutlinePlan);
  const scores = new Map(plan.sections.map(({ id }) => [id, new Map<string, number>()]));
  const planned = new Map(
    plan.sections.map(({ id, relevantSources }) => [
      id,
      new Set(relevantSources.map(({ sourceId }) => sourceId)),
    ]),
  );
  for (const ref of [...scoreRefs, ...(await readLists(ports.content, scoreListRefs))]) {
    const part = await readArtifact(ports.content, ref, ScoreRelevanceOutput);
    for (const { sourceId, sections } of part.scores) {
      for (const { sectionId, relevance } of sections) {
        if (relevance > 0 || planned.get(sectionId)?.has(sourceId))
          scores.get(sectionId)?.set(sourceId, relevance);
      }
    }
  }
  const ranked = { plan, scores, sourceIds: catalogue.ids, keepsSections };
  const outline = await ports.threads.run('rank-outline', ranked, signal);
  const outlineRef = await storeArtifact(ports.content, run.runId, outline);
  const { overallTheme } = outline;
  const sections = outline.sections.map(({ id, title, sourceScores }) => ({
    id,
    title,
    sources: sourceScores.filter(({ relevance }) => relevance >= SOMEWHAT_RELEVANT).length,
  }));
  const best = await bestSources(catalogue, outline);
  const place = { pass: 1, step: 'settle-outline', type: 'outline-generated' } as const;
  const key = eventKey(ordinal === undefined ? place : { ...place, ordinal });
  await ports.events.appendOnce(run.runId, key, {
    type: 'outline-generated',
    payload: {
      overallTheme,
      sections: sections.map((section, at) => ({ ...section, relevantSources: best[at] ?? [] })),
    },
  });
  return { outlineRef, sections: sections.map(({ id, sources }) => ({ id, sources })) };
}

/** The best sources of each section, in the format of document 002. */
async function bestSources(
  catalogue: Catalogue,
  { sections }: Outline,
): Promise<{ sourceId: string; url: string | null; relevanceScore: number }[][]> {
  const best = sections.map(({ relevantSources }) => relevantSources.slice(0, MAX_EVENT_SOURCES));
  const sources = await catalogue.named(best.flat().map(({ sourceId }) => sourceId));
  const urlOf = (sourceId: string): string | null => {
    const url = citationUrl(sources.get(sourceId)?.url ?? null);
    return url === null || url.length > MAX_ADDRESS_CHARS ? null : url;
  };
  return best.map((scores) =>
    scores.map(({ sourceId, relevance }) => ({
      sourceId,
      url: urlOf(sourceId),
      relevanceScore: relevance,
    })),
  );
}

export interface CheckOutlineInput {
  runId: string;
  outlineRef: ArtifactRef;
}

export interface CheckedOutline {
  problems: string[];
  sections: number;
}

export async function checkOutline(
  { content }: ActivityPorts,
  { runId, outlineRef }: CheckOutlineInput,
): Promise<CheckedOutline> {
  try {
    const given: unknown = await readArtifact(content, outlineRef, z.unknown());
    const problems = schemaProblemTexts([['', GivenOutline, given]]);
    if (problems.length > 0)
      return { problems: ['outlineRef leads to no outline', ...problems], sections: 0 };
    const { sections } = GivenOutline.parse(given);
    await content.hold(runId, [outlineRef]);
    return { problems: [], sections: sections.length };
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return {
        problems: [`outlineRef is ${outlineRef}, which is not in this worker's content store`],
        sections: 0,
      };
    if (error instanceof SyntaxError)
      return { problems: ['outlineRef leads to no outline: it is no JSON'], sections: 0 };
    throw error;
  }
}

export interface PlanGivenOutlineInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef | null;
  formerRef: ArtifactRef | null;
}

/** Sections with a known title keep their sources; others are matched by words of section and question. */
export async function planGivenOutline(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, formerRef }: PlanGivenOutlineInput,
  signal: AbortSignal,
): Promise<{ planRef: ArtifactRef; sections: number }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const former = formerRef === null ? null : await readCached(ports.content, formerRef, Outline);
  const outline =
    outlineRef === null ? former : outlineTopics(await readArtifact(ports.content, outlineRef, GivenOutline));
  if (outline === null) throw new Error('There is no outline to plan by.');
  const wanted = outline.sections.map((topic) => ({
    ...topic,
    description: `${topic.description} ${run.question}`,
  }));
  const shares = await topicRelevance(ports, wanted, catalogue, signal);
  const relevance = sourcesByWords(catalogue.ids, shares);
  const kept = new Map(
    former?.sections.map(({ title, sourceScores }) => [title.trim().toLowerCase(), sourceScores]),
  );
  const known = new Set(
    former?.sections.flatMap(({ sourceScores }) => sourceScores.map((one) => one.sourceId)),
  );
  const plan: OutlinePlan = {
    overallTheme: outline.overallTheme,
    sections: outline.sections.map(({ id, title, description, subsections }, at) => {
      const scores = kept.get(title.trim().toLowerCase());
      const byWords = relevance[at] ?? [];
      const relevantSources =
        scores === undefined ? byWords : [...scores, ...byWords.filter((one) => !known.has(one.sourceId))];
      return { id, title, description, subsections, relevantSources };
    }),
  };
  return {
    planRef: await storeArtifact(ports.content, run.runId, plan),
    sections: plan.sections.length,
  };
}

function outlineTopics({ overallTheme, sections }: GivenOutline): Pick<Outline, 'overallTheme'> & {
  sections: Omit<OutlineSection, 'relevantSources'>[];
} {
  return {
    overallTheme: overallTheme ?? themeOfTitles(sections.map(({ title }) => title)),
    sections: sections.map(({ title, description, subsections = [] }, at) => ({
      id: `section-${at + 1}`,
      title,
      description: description ?? descriptionOf(title),
      subsections: subsections.map((named) => ({ title: named, sourceIds: [] })),
    })),
  };
}

export async function readSection(
  content: ContentStore,
  outlineRef: ArtifactRef,
  sectionId: string,
): Promise<{ outline: Outline; section: RankedSection }> {
  const outline = await readCached(content, outlineRef, Outline);
  const section = outline.sections.find(({ id }) => id === sectionId);
  if (section === undefined) throw new Error(`The outline has no section ${sectionId}.`);
  return { outline, section };
}

export function sectionScope({ id, title, description, subsections }: OutlineSection): SectionScope {
  return { id, title, description, subsections: subsections.map((subsection) => subsection.title) };
}

export function placedSection(section: RankedSection, named: ReadonlySet<string>): PlacedSection {
  const scores = section.sourceScores.filter(({ sourceId }) => named.has(sourceId));
  return { ...sectionScope(section), relevance: new Map(scores.map((one) => [one.sourceId, one.relevance])) };
}
