import type { ArtifactRef } from '../../../contracts/run/artifact';
import { type Outline, OutlinePlan } from '../../../contracts/report/outline';
import { eventKey } from '../../../core/run/event-key';
import { citationUrl } from '../../../core/report/citation-url';
import { questionOutline } from '../../../core/ranking/question-outline';
import { SOMEWHAT_RELEVANT } from '../../../core/ranking/ranked-outline';
import { ScoreRelevanceOutput } from '../../../steps/score-relevance/contract';
import { readArtifact, readShared, storeArtifact } from '../../shared/artifacts';
import { type Catalogue, openCatalogue, nearnessToQuestion } from '../gather/catalogue';
import { readLists } from '../../shared/list-artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

export interface SettleOutlineInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  /** Null where there is no plan: the report then has one section, with the question as its title. */
  planRef: ArtifactRef | null;
  scoreRefs: ArtifactRef[];
  /** Lists of such references, where there are many. */
  scoreListRefs?: ArtifactRef[];
  /** True for a person's outline: its sections stay as they are. */
  keepsSections?: boolean;
  /** How many outlines the run had before; absent for the first. */
  ordinal?: number;
}

/** An event is small: of each section's sources it names so many, the best, and no long addresses. */
const NAMED_IN_EVENT = 15;
const MAX_ADDRESS_CHARS = 300;

export interface SettledOutline {
  outlineRef: ArtifactRef;
  /** `sources` is how many are somewhat relevant at least. Titles stay in the store: a history has no text of a model's. */
  sections: { id: string; sources: number }[];
}

/** The end of pass 1: the outline with every source ranked for every section. Asks no engine. */
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
      ? questionOutline(run.question, catalogue.ids, await nearnessToQuestion(ports, run, catalogue, signal))
      : await readShared(ports.content, planRef, OutlinePlan);
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
        // That a source says nothing to a section is news only where the plan says that it does.
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

/** The best of each section's sources, by its place, as document 002's outline names them. */
async function bestSources(
  catalogue: Catalogue,
  { sections }: Outline,
): Promise<{ sourceId: string; url: string | null; relevanceScore: number }[][]> {
  const best = sections.map(({ relevantSources }) => relevantSources.slice(0, NAMED_IN_EVENT));
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
