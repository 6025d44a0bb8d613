import type { ArtifactRef } from '../core/contracts/artifact';
import { OutlinePlan } from '../core/contracts/outline';
import { SourceCatalogue } from '../core/contracts/source';
import { eventKey } from '../core/event-key';
import { questionOutline } from '../core/ranking/question-outline';
import { settleOutline as settle, SOMEWHAT_RELEVANT } from '../core/ranking/settle-outline';
import { ScoreRelevanceOutput } from '../steps/score-relevance';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';
import { summarisedSources } from './summarised-sources';

export interface SettleOutlineInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  /** Null where there is no plan: the report then has one section, with the question as its title. */
  planRef: ArtifactRef | null;
  scoreRefs: ArtifactRef[];
}

export interface SettledOutline {
  outlineRef: ArtifactRef;
  /** `sources` is how many are somewhat relevant at least. Titles stay in the store: a history has no text of a model's. */
  sections: { id: string; sources: number }[];
}

/** The end of pass 1: the outline with every source ranked for every section. Asks no engine. */
export async function settleOutline(
  ports: ActivityPorts,
  { run, catalogueRef, planRef, scoreRefs }: SettleOutlineInput,
): Promise<SettledOutline> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const plan =
    planRef === null
      ? questionOutline(run.question, await summarisedSources(ports, catalogue.sources))
      : await readArtifact(ports.content, planRef, OutlinePlan);
  const scored = await Promise.all(
    scoreRefs.map((ref) => readArtifact(ports.content, ref, ScoreRelevanceOutput)),
  );
  const scores = new Map(plan.sections.map(({ id }) => [id, new Map<string, number>()]));
  for (const { sourceId, sections } of scored.flatMap((part) => part.scores)) {
    for (const { sectionId, relevance } of sections) scores.get(sectionId)?.set(sourceId, relevance);
  }
  const outline = settle(
    plan,
    scores,
    catalogue.sources.map(({ id }) => id),
  );
  const outlineRef = await storeArtifact(ports.content, run.runId, outline);
  const { overallTheme } = outline;
  const sections = outline.sections.map(({ id, title, sourceScores }) => ({
    id,
    title,
    sources: sourceScores.filter(({ relevance }) => relevance >= SOMEWHAT_RELEVANT).length,
  }));
  const key = eventKey({ pass: 1, step: 'settle-outline', type: 'outline-generated' });
  await ports.events.appendOnce(run.runId, key, {
    type: 'outline-generated',
    payload: { overallTheme, sections },
  });
  return { outlineRef, sections: sections.map(({ id, sources }) => ({ id, sources })) };
}
