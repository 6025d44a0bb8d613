import { ZodError } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { GivenOutline } from '../../../contracts/report/given-outline';
import type { OutlinePlan } from '../../../contracts/report/outline';
import { descriptionOf, themeOfTitles } from '../../../core/ranking/outline-wording';
import { sourcesByWords } from '../../../core/ranking/sources-by-words';
import { MissingArtifactError, readArtifact, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
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
    const { sections } = await readArtifact(content, outlineRef, GivenOutline);
    await content.hold(runId, [outlineRef]);
    return { problems: [], sections: sections.length };
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return {
        problems: [`outlineRef is ${outlineRef}, which is not in this worker's content store`],
        sections: 0,
      };
    if (error instanceof ZodError) {
      const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      return { problems: ['outlineRef leads to no outline', ...problems], sections: 0 };
    }
    if (error instanceof SyntaxError)
      return { problems: ['outlineRef leads to no outline: it is no JSON'], sections: 0 };
    throw error;
  }
}

export interface PlanGivenOutlineInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
}

/** A person's outline as a plan, each section with the sources that share its words; what a score says of them counts before that. */
export async function planGivenOutline(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef }: PlanGivenOutlineInput,
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
  const shares = await sharedWords(ports, topics, catalogue, signal);
  const relevance = sourcesByWords(catalogue.ids, shares);
  const plan: OutlinePlan = {
    overallTheme: given.overallTheme ?? themeOfTitles(topics.map(({ title }) => title)),
    sections: topics.map((topic, at) => ({ ...topic, relevantSources: relevance[at] ?? [] })),
  };
  return {
    planRef: await storeArtifact(ports.content, run.runId, plan),
    sections: plan.sections.length,
  };
}
