import { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { charsInWindow } from '../../../core/budget/call-estimates';
import { modelOfPass } from '../../../core/budget/model-of-pass';
import { eventKey } from '../../../core/run/event-key';
import { planBrief as planBriefStep } from '../../../steps/plan-brief/plan-brief';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import type { BriefFacts } from '../brief-facts';
import { allFindings, wantedOf } from './brief-material';
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

export async function planBrief(
  ports: ActivityPorts,
  { run, materialRef }: PlanBriefActivityInput,
  signal: AbortSignal,
): Promise<PlannedBrief> {
  const material = await readShared(ports.content, materialRef, BriefMaterial);
  const input = {
    question: run.question,
    parts: await wantedOf(run, material),
    conflicts: material.conflicts,
    subtopics: material.subtopics.map(({ id, title, findings }) => ({ id, title, findings })),
    places: material.places,
    ...wordsForParts(run.brief, material),
    list: wordsWithList(run.brief, material),
  };
  const place = { pass: PASS };
  const { output, usage, warnings } = await inTurn(ports, run, signal, () =>
    runStep(ports, run, planBriefStep, input, { place, signal }),
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
    parts: output.parts.map(({ id, words: ofPart }) => ({ id, words: ofPart })),
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

/** So many characters stand around each statement of a prompt: its id, its sources. */
const CHARS_AROUND_STATEMENT = 60;

/** By part, an engine that reads no prompt loses nothing; a model holds together what is short, and what it can read at once. */
function isOneCall({ brief, engine, models }: BriefFacts, material: BriefMaterial, plan: BriefPlan): boolean {
  if (!traitsOf(engine).asksModels || !models) return false;
  const planned = plan.parts.reduce((sum, { words }) => sum + words, 0);
  if ((brief.words ?? planned) > brief.oneCallWords) return false;
  const { contextTokens } = modelOfPass(models, 'strong', PASS + 1);
  const chars = allFindings(material).reduce(
    (sum, { claim }) => sum + claim.length + CHARS_AROUND_STATEMENT,
    0,
  );
  return chars <= charsInWindow(contextTokens);
}
