import { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { Evidence } from '../../../contracts/report/finding';
import { WrittenText } from '../../../contracts/report/written-text';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { NO_USAGE } from '../../../core/budget/usage';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { mendStatements, readFaults } from '../../shared/written-text/mend-statements';
import { streamParts } from '../../shared/written-text/part-streams';
import type { BriefFacts } from '../brief-facts';
import { allFindings, fitsWindow, PART_WRITER, sourceWindows } from './brief-material';

export interface MendBriefInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** What a judge named of these parts; absent where an audit asks for the mending. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedBrief extends Spent {
  textRef: ArtifactRef;
  /** Ids of the statements of the new sentences. */
  changed: string[];
  /** The parts that changed. */
  parts: string[];
}

/** Has the writer mend the sentences of a brief that an audit or a judge found wrong. */
export async function mendBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, judged }: MendBriefInput,
  signal: AbortSignal,
): Promise<MendedBrief> {
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const faults = await readFaults(ports, text, judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const material = await readShared(content, materialRef, BriefMaterial);
  const windows = sourceWindows(material);
  // What a part lacks may stand in sources that it does not cite.
  const quotes = judged === undefined || !fitsWindow(run, windows) ? [] : evidenceOn(material, judged.parts);
  const told = new Set(quotes.map(({ sourceId }) => sourceId));
  const { text: mended, ...result } = await mendStatements(
    ports,
    run,
    {
      text,
      faults,
      readSources: (ids) =>
        Promise.resolve(windows.filter(({ sourceId }) => ids.has(sourceId) || told.has(sourceId))),
      quotes,
    },
    { place: { pass: PART_WRITER.pass, revision }, signal },
  );
  await streamParts(ports, run.runId, PART_WRITER, mended.parts);
  return { textRef: await storeArtifact(content, run.runId, mended), ...result };
}

/** The statements of these parts; of a summary or of conclusions, all. */
function evidenceOn(material: BriefMaterial, parts: readonly string[]): Evidence[] {
  const isOfSubtopics = parts.every((part) => material.subtopics.some(({ id }) => id === part));
  return allFindings(material)
    .filter(({ sectionId }) => !isOfSubtopics || parts.includes(sectionId))
    .flatMap(({ evidence }) => evidence);
}
