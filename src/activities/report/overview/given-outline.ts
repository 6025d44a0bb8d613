import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { GivenOutline } from '../../../contracts/report/given-outline';
import { Outline, type OutlinePlan, type OutlineSection } from '../../../contracts/report/outline';
import { descriptionOf, themeOfTitles } from '../../../core/ranking/outline-wording';
import { shapeProblems } from '../../../core/shapes/shape-problems';
import { sourcesByWords } from '../../../core/ranking/sources-by-words';
import { MissingArtifactError, readArtifact, readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { openCatalogue, sharedWords } from '../gather/catalogue';

export interface CheckOutlineInput {
  runId: string;
  outlineRef: ArtifactRef;
}

export interface CheckedOutline {
  /** What is wrong with it; it is not used then. */
  problems: string[];
  sections: number;
}

/** Looks whether an outline that somebody gave is there and whole, and has the run hold it. */
export async function checkOutline(
  { content }: ActivityPorts,
  { runId, outlineRef }: CheckOutlineInput,
): Promise<CheckedOutline> {
  try {
    const given: unknown = await readArtifact(content, outlineRef, z.unknown());
    const problems = shapeProblems([['', GivenOutline, given]]);
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
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  /** Null where the former outline stays, and only sources are new. */
  outlineRef: ArtifactRef | null;
  /** The outline whose place it takes; null where there is none yet. */
  formerRef: ArtifactRef | null;
}

/**
 * A given outline as a plan. A section that keeps its title keeps its sources. Any other section, and any new source, is matched by
 * shared words of the section and, less, of the question, since many a heading says nothing of its subject. Scores of a later step
 * take precedence.
 */
export async function planGivenOutline(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, formerRef }: PlanGivenOutlineInput,
  signal: AbortSignal,
): Promise<{ planRef: ArtifactRef; sections: number }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const former = formerRef === null ? null : await readShared(ports.content, formerRef, Outline);
  const outline =
    outlineRef === null ? former : topicsOf(await readArtifact(ports.content, outlineRef, GivenOutline));
  if (outline === null) throw new Error('There is no outline to plan by.');
  const wanted = outline.sections.map((topic) => ({
    ...topic,
    description: `${topic.description} ${run.question}`,
  }));
  const shares = await sharedWords(ports, wanted, catalogue, signal);
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

function topicsOf({ overallTheme, sections }: GivenOutline): Pick<Outline, 'overallTheme'> & {
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
