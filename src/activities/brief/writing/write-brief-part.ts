import { SectionDraft } from '../../../contracts/report/draft';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { eventKey } from '../../../core/run/event-key';
import type { PartRevision } from '../../../steps/write-brief-part/contract';
import { writeBriefPart as writeBriefPartStep } from '../../../steps/write-brief-part/write-brief-part';
import { storeArtifact, readIfAny, readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { openSectionStream } from '../../shared/section-stream';
import type { BriefFacts } from '../brief-facts';
import {
  readPlanned,
  textMaterial,
  allFindings,
  plannedFindings,
  endBefore,
  readParts,
  toldBefore,
  findingsTold,
  type PartText,
  wantedOf,
} from './brief-material';
import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { Finding } from '../../../contracts/report/finding';
import type { z } from 'zod';
import { Critique } from '../../../contracts/verification/critique';
import { readProblems } from '../../shared/judge/judge-version';

export interface WriteBriefPartActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  partId: string;
  drafts: { partId: string; draftRef: ArtifactRef }[];
  revises?: RevisedPart;
}

export interface WrittenPart extends Spent {
  draftRef: ArtifactRef;
  sentences: number;
  /** Where a part was written anew: whether it has the same words. */
  isUnchanged?: boolean;
}

export async function writeBriefPart(
  ports: ActivityPorts,
  { run, materialRef, planRef, partId, drafts, revises }: WriteBriefPartActivityInput,
  signal: AbortSignal,
): Promise<WrittenPart> {
  const { content, events } = ports;
  const { material, plan } = await readPlanned(ports, { materialRef, planRef });
  const part = plan.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`The plan has no part ${partId}.`);
  const others = await readParts(ports, drafts);
  const wanted = (await wantedOf(run, material)).find(({ id }) => id === partId);
  const revision = revises === undefined ? null : await revisionOf(ports, partId, revises);
  const version = revises?.version ?? 1;
  const place = { pass: PART_WRITER.pass, section: partId, revision: version - 1 };
  if (revision !== null) {
    const key = eventKey({ ...place, step: PART_WRITER.step, type: 'revision' });
    const payload = { section: partId, revision: version - 1, reason: reasonOf(revision) };
    await events.appendOnce(run.runId, key, { type: 'revision', payload });
  }
  const input = {
    question: run.question,
    plan,
    part,
    instruction: wanted?.instruction ?? '',
    ...textMaterial(material, findingsOfPart(material, part, others)),
    places: material.places,
    before: endBefore(partId, others, plan),
    told: toldBefore(partId, others, plan),
    revision,
  };
  const stream = await openSectionStream(events, run.runId, partId, PART_WRITER);
  const { output, usage, warnings } = await inTurn(ports, run, signal, () =>
    runStep(ports, run, writeBriefPartStep, input, { place, signal, onText: (text) => stream.write(text) }),
  );
  await stream.finish(output.markdown);
  return {
    draftRef: await storeArtifact(content, run.runId, output),
    sentences: output.checked?.sentences.length ?? 0,
    ...(revision === null ? {} : { isUnchanged: saysTheSame(output, revision) }),
    usage,
    warnings,
  };
}

/** A text with marks of rejected claims never says the same as one without. */
function saysTheSame({ markdown }: SectionDraft, before: PartRevision): boolean {
  const said = (text: string): string => text.replace(/\s+/g, ' ').trim();
  return said(markdown) === said(before.markdown);
}

/**
 * What a part may tell of: what the plan gives it; a part that tells of no subtopic (the summary, the conclusions) all that the
 * text rests on, strongest first, or before there is any text what the plan gives it.
 */
function findingsOfPart(material: BriefMaterial, part: BriefPart, others: readonly PartText[]): Finding[] {
  const isOfSubtopic = material.subtopics.some(({ id }) => id === part.id);
  const own = plannedFindings(material, part);
  if (isOfSubtopic) return own;
  const bodies = others.filter(({ partId }) => material.subtopics.some(({ id }) => id === partId));
  const told = findingsTold(bodies);
  if (told.size === 0) return own.length > 0 ? own : allFindings(material).sort(strongestFirst);
  return allFindings(material)
    .filter(({ id }) => told.has(id))
    .sort(strongestFirst);
}

/** Those that are as strong keep the order in which they are read. */
function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length;
}

export const PART_WRITER = { pass: 2, step: 'write-brief-part' };

export interface RevisedPart {
  draftRef: ArtifactRef;
  critiqueRef: ArtifactRef | null;
  judgementRef: ArtifactRef | null;
  /** Of which version the new text is, from 2. */
  version: number;
}

/** What an audit and a judge said of a part; of a judge only what it said of that part. */
export async function revisionOf(
  { content }: Pick<ActivityPorts, 'content'>,
  partId: string,
  { draftRef, critiqueRef, judgementRef }: RevisedPart,
): Promise<z.infer<typeof PartRevision>> {
  const { markdown } = await readShared(content, draftRef, SectionDraft);
  const critique = await readIfAny(content, critiqueRef, Critique);
  const areClaimsNamed = critique !== null && wrongClaims(critique) > 0;
  const problems = await readProblems(content, judgementRef ?? undefined, partId, { areClaimsNamed });
  return { markdown, critique, problems: problems ?? [] };
}

export function reasonOf({ critique, problems }: z.infer<typeof PartRevision>): string {
  const wrong = critique === null ? 0 : wrongClaims(critique);
  const refused =
    wrong === 0 ? [] : [`What it cites does not support ${wrong === 1 ? 'one claim' : `${wrong} claims`}.`];
  const named = [...new Set(problems.map(({ reason }) => reason))];
  return [...refused, ...named].join(' ') || 'It is to be mended.';
}

function wrongClaims({ unsupportedClaims, conflictingEvidence }: Critique): number {
  return unsupportedClaims.length + conflictingEvidence.length;
}
