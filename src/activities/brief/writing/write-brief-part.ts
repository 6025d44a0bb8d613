import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { Finding } from '../../../contracts/report/finding';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { QUOTING_ENGINE } from '../../../contracts/run/engines';
import { eventKey } from '../../../core/run/event-key';
import { citedIds } from '../../../core/text/citation-marks';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { writeBriefPart as writeBriefPartStep } from '../../../steps/write-brief-part/write-brief-part';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { quotedClaims } from '../../shared/quoted-claims';
import { streamParts } from '../../shared/written-text/part-streams';
import type { BriefFacts } from '../brief-facts';
import {
  allFindings,
  PART_WRITER,
  type PartText,
  plannedFindings,
  readParts,
  readPlanned,
  textMaterial,
} from './brief-material';

export interface WriteBriefPartActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  partId: string;
  /** The parts that are quoted so far. */
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

export interface WrittenPart extends Spent {
  draftRef: ArtifactRef;
}

/** A part of quoted statements, each with its verdict: without a model, or where no model writes it. */
export async function writeBriefPart(
  ports: ActivityPorts,
  { run, materialRef, planRef, partId, drafts }: WriteBriefPartActivityInput,
  signal: AbortSignal,
): Promise<WrittenPart> {
  const quoting: BriefFacts = { ...run, engine: QUOTING_ENGINE, models: null };
  const { material, plan } = await readPlanned(ports, { materialRef, planRef });
  const part = plan.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`The plan has no part ${partId}.`);
  const findings = findingsOfPart(material, part, await readParts(ports, drafts));
  const input = { part, ...textMaterial(material, findings) };
  const place = { pass: PART_WRITER.pass, section: partId };
  const { output, usage, warnings } = await inTurn(ports, quoting, signal, () =>
    runStep(ports, quoting, writeBriefPartStep, input, { place, signal }),
  );
  const cited = new Set(citedIds(output.markdown));
  const citing = allFindings(material).filter(({ citations }) => citations.some((id) => cited.has(id)));
  const claims = quotedClaims(output.claims, textMaterial(material, citing));
  const draft: SectionDraft = { ...output, claims };
  await streamParts(ports, run.runId, PART_WRITER, [{ id: partId, markdown: draft.markdown }]);
  await ports.events.appendOnce(run.runId, eventKey({ ...place, step: 'audit', type: 'audit' }), {
    type: 'audit',
    payload: {
      section: partId,
      revision: 0,
      audit: countVerdicts(claims.map(({ verdict }) => verdict)),
      needsRetry: false,
      setAside: 0,
    },
  });
  return { draftRef: await storeArtifact(ports.content, run.runId, draft), usage, warnings };
}

/** What the plan gives a part; of that the summary and the conclusions quote only what quoted subtopics tell. */
function findingsOfPart(material: BriefMaterial, part: BriefPart, others: readonly PartText[]): Finding[] {
  const own = plannedFindings(material, part);
  const isSubtopic = (id: string): boolean => material.subtopics.some((subtopic) => subtopic.id === id);
  if (isSubtopic(part.id)) return own;
  const told = new Set(
    others.flatMap(({ partId, draft }) =>
      isSubtopic(partId) ? draft.claims.flatMap(({ findingIds }) => findingIds) : [],
    ),
  );
  return told.size === 0 ? own : own.filter(({ id }) => told.has(id));
}
