import { BriefMaterial } from '../../../contracts/brief/brief-material';
import { WrittenText } from '../../../contracts/report/written-text';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import {
  auditStatements,
  statementsLeft,
  statementsToAudit,
  tellAudit,
} from '../../shared/written-text/audit-statements';
import { streamParts } from '../../shared/written-text/part-streams';
import { passagesNear } from '../../shared/written-text/passages-near';
import type { BriefFacts } from '../brief-facts';
import { fitsWindow, PART_WRITER, sourceWindows } from './brief-material';

export interface AuditBriefInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong: boolean;
}

export interface AuditedBrief extends Spent {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
  /** How many statements the text has left, and in which parts. */
  left: number;
  parts: string[];
}

/** A verdict for each statement of a brief, held against what the summaries report of the sources that it cites. */
export async function auditBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, only, removesWrong }: AuditBriefInput,
  signal: AbortSignal,
): Promise<AuditedBrief> {
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const windows = sourceWindows(await readShared(content, materialRef, BriefMaterial));
  const { asked, shown, sourceIds } = statementsToAudit(text, only);
  const cited = windows.filter(({ sourceId }) => sourceIds.has(sourceId));
  const isWhole = only === undefined && fitsWindow(run, windows);
  const sources = isWhole ? windows : fitsWindow(run, cited) ? cited : passagesNear(cited, asked, []);
  const place = { pass: PART_WRITER.pass, revision };
  const audited = await auditStatements(
    ports,
    run,
    { text, asked, shown, sources, cited, works: [], asksNotes: only === undefined, removesWrong },
    { place, signal },
  );
  const { kept, wrong, usage, warnings } = audited;
  const left = statementsLeft(kept);
  if (kept !== audited.text) await streamParts(ports, run.runId, PART_WRITER, kept.parts);
  await tellAudit(ports, run, audited, { name: 'brief', place });
  return {
    textRef: await storeArtifact(content, run.runId, kept),
    wrong,
    notes: audited.text.notes.length,
    left: left.length,
    parts: kept.parts.map(({ id }) => id).filter((id) => left.some(({ partId }) => partId === id)),
    usage,
    warnings,
  };
}
