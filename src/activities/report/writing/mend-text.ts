import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { WrittenText } from '../../../contracts/report/written-text';
import { NO_USAGE } from '../../../core/budget/usage';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { mendStatements, readFaults } from '../../shared/written-text/mend-statements';
import { streamParts } from '../../shared/written-text/part-streams';
import { openCatalogue } from '../gather/catalogue';
import { citedSources, quotesOf } from './text-sources';
import { SECTION_WRITER } from './write-section';

export interface MendTextActivityInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** What a judge named of these parts; absent where an audit asks for the mending. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedText extends Spent {
  textRef: ArtifactRef;
  /** Ids of the statements of the new sentences. */
  changed: string[];
  /** The parts that changed. */
  parts: string[];
}

/** Has the writer mend the sentences of a report that an audit or a judge found wrong. */
export async function mendText(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, textRef, revision, judged }: MendTextActivityInput,
  signal: AbortSignal,
): Promise<MendedText> {
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const faults = await readFaults(ports, text, judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const catalogue = await openCatalogue(content, catalogueRef);
  const known = quotesOf(await readShared(content, validatedRef, ValidatedFindings));
  const { text: mended, ...result } = await mendStatements(
    ports,
    run,
    {
      text,
      faults,
      readSources: (ids) => citedSources(ports, catalogue, ids),
      quotes: judged === undefined ? [] : known,
    },
    { place: { pass: 4, revision }, signal },
  );
  await streamParts(ports, run.runId, SECTION_WRITER, mended.parts);
  return { textRef: await storeArtifact(content, run.runId, mended), ...result };
}
