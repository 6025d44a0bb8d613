import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Outline, type OutlinePlan } from '../../../contracts/report/outline';
import { READ_FROM, SOMEWHAT_RELEVANT } from '../../../core/ranking/ranked-outline';
import { sourcesByWords } from '../../../core/ranking/sources-by-words';
import { ScoreRelevanceOutput } from '../../../steps/score-relevance/contract';
import { readArtifact, readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { openCatalogue } from '../gather/catalogue';
import { sharedWords } from '../gather/summarised-sources';

export interface ExtendOutlineInput {
  run: ReportFacts;
  /** With the new sources, which stand last. */
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** How many of its sources the outline knows. */
  known: number;
  /** What a model says of the new ones; empty where none was asked, and their words decide. */
  scoreRefs: ArtifactRef[];
}

export interface ExtendedOutline {
  outlineRef: ArtifactRef;
  sections: { id: string; sources: number }[];
  /** The sections to which a new source has something to say. */
  concerned: string[];
}

/** The same sections with further sources ranked among the others. Asks no engine. */
export async function extendOutline(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, known, scoreRefs }: ExtendOutlineInput,
  signal: AbortSignal,
): Promise<ExtendedOutline> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const before = await readShared(ports.content, outlineRef, Outline);
  const fresh = new Set(catalogue.ids.slice(known));
  const scores = new Map(
    before.sections.map(({ id, sourceScores }) => [
      id,
      new Map(sourceScores.map(({ sourceId, relevance }) => [sourceId, relevance])),
    ]),
  );
  if (!traitsOf(run.engine).asksModels || scoreRefs.length === 0) {
    const shares = await sharedWords(ports, before.sections, catalogue, signal);
    for (const [at, named] of sourcesByWords(catalogue.ids, shares).entries()) {
      const ofSection = scores.get(before.sections[at]?.id ?? '');
      for (const { sourceId, relevance } of named)
        if (fresh.has(sourceId)) ofSection?.set(sourceId, relevance);
    }
  }
  for (const ref of scoreRefs) {
    const part = await readArtifact(ports.content, ref, ScoreRelevanceOutput);
    for (const { sourceId, sections } of part.scores)
      for (const { sectionId, relevance } of sections) scores.get(sectionId)?.set(sourceId, relevance);
  }
  const plan: OutlinePlan = {
    overallTheme: before.overallTheme,
    sections: before.sections.map(({ sourceScores: _scores, ...section }) => section),
  };
  const outline = await ports.threads.run(
    'rank-outline',
    { plan, scores, sourceIds: catalogue.ids, keepsSections: true },
    signal,
  );
  return {
    outlineRef: await storeArtifact(ports.content, run.runId, outline),
    sections: outline.sections.map(({ id, sourceScores }) => ({
      id,
      sources: sourceScores.filter(({ relevance }) => relevance >= SOMEWHAT_RELEVANT).length,
    })),
    concerned: outline.sections.flatMap(({ id, sourceScores }) =>
      sourceScores.some(({ sourceId, relevance }) => fresh.has(sourceId) && relevance >= READ_FROM)
        ? [id]
        : [],
    ),
  };
}
