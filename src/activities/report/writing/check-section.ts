import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionDraft } from '../../../contracts/report/draft';
import { betterSettled } from '../../../core/settled-text/better-settled';
import { draftOf } from '../../../core/settled-text/settle-text';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { checkText } from './check-text';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { readTextMaterial } from './read-text-material';
import { openSectionStream } from './section-stream';

export interface CheckSectionInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
  draftRef: ArtifactRef;
  /** Which text of the section it is: 0 for the first. */
  revision: number;
  /** An earlier text that is settled; it is kept where this one has no fewer sentences that nothing bears. */
  insteadRef: ArtifactRef | null;
}

export interface CheckedSection extends Spent {
  /** The section with nothing undecided in it. */
  draftRef: ArtifactRef;
  /** What was not confirmed, with the reasons; null where all was. */
  refusedRef: ArtifactRef | null;
}

export const RefusedSentences = z.array(z.object({ text: z.string(), reason: z.string() }));

/**
 * Pass 4 for one section that words alone could not decide: what the critic does not confirm is replaced. What was streamed of
 * the section is replaced by a newer generation where it differs.
 */
export async function checkSection(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, sectionId, draftRef, revision, insteadRef }: CheckSectionInput,
  signal: AbortSignal,
): Promise<CheckedSection> {
  const draft = await readShared(ports.content, draftRef, SectionDraft);
  const instead = await readIfAny(ports.content, insteadRef, SectionDraft);
  const { markdown, checked = { sentences: [], leftOut: 0 } } = draft;
  const material = await readTextMaterial(ports, { catalogueRef, validatedRef }, sectionId);
  const { settled, refused, usage, warnings } = await checkText(ports, run, { markdown, checked }, material, {
    place: { pass: 4, section: sectionId, revision },
    signal,
  });
  const kept = betterSettled(instead, draftOf(settled));
  const stream = await openSectionStream(ports.events, run.runId, sectionId);
  await stream.finish(kept.markdown);
  return {
    draftRef: await storeArtifact(ports.content, run.runId, kept),
    refusedRef: refused.length === 0 ? null : await storeArtifact(ports.content, run.runId, refused),
    usage,
    warnings,
  };
}
