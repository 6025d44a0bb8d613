import { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { QUOTING_ENGINE, traitsOf } from '../../../contracts/run/engines';
import { eventKey } from '../../../core/run/event-key';
import { planBrief as planBriefStep } from '../../../steps/plan-brief/plan-brief';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import type { BriefFacts } from '../brief-facts';
import { fitsWindow, sourceWindows, wantedOf } from './brief-material';
import { wordsForParts, wordsWithList } from './words-for-parts';

export interface PlanBriefActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
}

export interface PlannedBrief extends Spent {
  planRef: ArtifactRef;
  isOneCall: boolean;
  /** In the order in which they are read. */
  parts: { id: string; words: number }[];
}

const PASS = 1;

/** Plans the parts by the template and the subtopics, without a model. */
export async function planBrief(
  ports: ActivityPorts,
  { run, materialRef }: PlanBriefActivityInput,
  signal: AbortSignal,
): Promise<PlannedBrief> {
  const material = await readShared(ports.content, materialRef, BriefMaterial);
  const wanted = await wantedOf(run, material);
  const input = {
    question: run.question,
    parts: wanted.map(({ id, title }) => ({ id, title })),
    subtopics: material.subtopics.map(({ id, title, findings }) => ({ id, title, findings })),
    ...wordsForParts(run.brief, material),
    list: wordsWithList(run.brief, material),
  };
  const place = { pass: PASS };
  const quoting: BriefFacts = { ...run, engine: QUOTING_ENGINE, models: null };
  const { output, usage, warnings } = await inTurn(ports, quoting, signal, () =>
    runStep(ports, quoting, planBriefStep, input, { place, signal }),
  );
  // Who follows the run knows its parts by their ids; this tells what they are called.
  await ports.events.appendOnce(
    run.runId,
    eventKey({ ...place, step: 'plan-brief', type: 'outline-generated' }),
    {
      type: 'outline-generated',
      payload: { overallTheme: output.title, sections: output.parts.map(outlined(material)) },
    },
  );
  return {
    planRef: await storeArtifact(ports.content, run.runId, output),
    isOneCall: isOneCall(run, material, output),
    parts: output.parts.map(({ id, words }) => ({ id, words })),
    usage,
    warnings,
  };
}

function outlined({
  subtopics,
}: BriefMaterial): (part: BriefPlan['parts'][number]) => { id: string; title: string; sources: number } {
  const cited = new Map(
    subtopics.flatMap(({ findings }) => findings.map(({ id, citations }) => [id, citations] as const)),
  );
  return ({ id, title, findingIds }) => {
    const sources = new Set(findingIds.flatMap((finding) => cited.get(finding) ?? []));
    return { id, title, sources: sources.size };
  };
}

/** A model holds together what is short, and what it can read at once. */
function isOneCall(run: BriefFacts, material: BriefMaterial, { parts }: BriefPlan): boolean {
  if (!traitsOf(run.engine).asksModels) return false;
  const planned = parts.reduce((sum, { words }) => sum + words, 0);
  return (run.brief.words ?? planned) <= run.brief.oneCallWords && fitsWindow(run, sourceWindows(material));
}
