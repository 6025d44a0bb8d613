import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { GivenOutline } from '../../../contracts/report/given-outline';
import { Outline, type OutlinePlan } from '../../../contracts/report/outline';
import { descriptionOf, themeOfTitles } from '../../../core/ranking/outline-wording';
import { shapeProblems } from '../../../core/shapes/shape-problems';
import { sourcesByWords } from '../../../core/ranking/sources-by-words';
import { MissingArtifactError, readArtifact, readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { openCatalogue } from '../gather/catalogue';
import { sharedWords } from '../gather/summarised-sources';

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
  outlineRef: ArtifactRef;
  /** The outline whose place it takes; null where there is none yet. */
  formerRef: ArtifactRef | null;
}

/**
 * A person's outline as a plan. A section that keeps its title keeps its sources; any other has those that share its words and, less,
 * the question's, since many a heading says nothing of its subject. What a score says of them counts before that.
 */
export async function planGivenOutline(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, formerRef }: PlanGivenOutlineInput,
  signal: AbortSignal,
): Promise<{ planRef: ArtifactRef; sections: number }> {
  const given = await readArtifact(ports.content, outlineRef, GivenOutline);
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const topics = given.sections.map(({ title, description, subsections = [] }, at) => ({
    id: `section-${at + 1}`,
    title,
    description: description ?? descriptionOf(title),
    subsections: subsections.map((named) => ({ title: named, sourceIds: [] })),
  }));
  const wanted = topics.map((topic) => ({ ...topic, description: `${topic.description} ${run.question}` }));
  const shares = await sharedWords(ports, wanted, catalogue, signal);
  const relevance = sourcesByWords(catalogue.ids, shares);
  const former = formerRef === null ? [] : (await readShared(ports.content, formerRef, Outline)).sections;
  const kept = new Map(former.map(({ title, sourceScores }) => [title.trim().toLowerCase(), sourceScores]));
  const plan: OutlinePlan = {
    overallTheme: given.overallTheme ?? themeOfTitles(topics.map(({ title }) => title)),
    sections: topics.map((topic, at) => ({
      ...topic,
      relevantSources: kept.get(topic.title.trim().toLowerCase()) ?? relevance[at] ?? [],
    })),
  };
  return {
    planRef: await storeArtifact(ports.content, run.runId, plan),
    sections: plan.sections.length,
  };
}
