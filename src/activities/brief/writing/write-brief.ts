import type { ArtifactRef } from '../../../contracts/run/artifact';
import { writeBrief as writeBriefStep } from '../../../steps/write-brief/write-brief';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { runStep, type Spent } from '../../shared/run-step';
import { openSectionStream } from '../../shared/section-stream';
import type { BriefFacts } from '../brief-facts';
import { allFindings, readPlanned, textMaterial, wantedOf } from './brief-material';
import { PART_WRITER } from './write-brief-part';
import { wordsForParts } from './words-for-parts';

export interface WriteBriefActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
}

export interface WrittenBrief extends Spent {
  /** The parts that were written, in the order of the plan; the others are missing. */
  drafts: { partId: string; draftRef: ArtifactRef; sentences: number }[];
  /** The plan under the title that was written; a result of an older worker has none. */
  planRef?: ArtifactRef;
}

export async function writeBrief(
  ports: ActivityPorts,
  { run, materialRef, planRef }: WriteBriefActivityInput,
  signal: AbortSignal,
): Promise<WrittenBrief> {
  const { content, events } = ports;
  const { material, plan } = await readPlanned(ports, { materialRef, planRef });
  const input = {
    question: run.question,
    parts: await wantedOf(run, material),
    plan,
    subtopics: material.subtopics.map(({ id, title, findings }) => ({ id, title, findings })),
    conflicts: material.conflicts,
    places: material.places,
    sources: textMaterial(material, allFindings(material)).sources,
    ...wordsForParts(run.brief, material),
  };
  const place = { pass: PART_WRITER.pass };
  const { output, usage, warnings } = await runStep(ports, run, writeBriefStep, input, { place, signal });
  const drafts: WrittenBrief['drafts'] = [];
  for (const { id } of plan.parts) {
    const draft = output.parts.find((part) => part.id === id)?.draft;
    if (draft === undefined) continue;
    const stream = await openSectionStream(events, run.runId, id, PART_WRITER);
    await stream.finish(draft.markdown);
    drafts.push({
      partId: id,
      draftRef: await storeArtifact(content, run.runId, draft),
      sentences: draft.checked?.sentences.length ?? 0,
    });
  }
  const titled = await storeArtifact(content, run.runId, { ...plan, title: output.title });
  return { drafts, planRef: titled, usage, warnings };
}
