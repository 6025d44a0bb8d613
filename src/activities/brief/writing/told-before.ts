import type { z } from 'zod';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import { SectionDraft } from '../../../contracts/report/draft';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { replaceAsides, replaceMarks } from '../../../core/text/citation-marks';
import type { ToldSentence } from '../../../steps/write-brief-part/contract';
import { readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';

/** A part as it stands. */
export interface PartText {
  partId: string;
  draft: SectionDraft;
}

export async function readParts(
  { content }: Pick<ActivityPorts, 'content'>,
  drafts: readonly { partId: string; draftRef: ArtifactRef }[],
): Promise<PartText[]> {
  return Promise.all(
    drafts.map(async ({ partId, draftRef }) => ({
      partId,
      draft: await readShared(content, draftRef, SectionDraft),
    })),
  );
}

/**
 * What other parts say that a part is not to say again, claim by claim, in the order in which they are read. The summary and the
 * conclusions point at the parts on subtopics, and the summary at the conclusions: what points at a part is no reason for it to
 * be silent.
 */
export function toldBefore(
  partId: string,
  parts: readonly PartText[],
  plan: BriefPlan,
): z.infer<typeof ToldSentence>[] {
  const told = parts.filter(
    (part) => pointsAt(part.partId) < pointsAt(partId) || pointsAt(part.partId) === 0,
  );
  return inReadingOrder(told, plan).flatMap((part) =>
    part.draft.claims.map(({ text, findingIds }) => ({
      partId: part.partId,
      findingIds,
      text: withoutMarks(text),
    })),
  );
}

/** How far a part is from the statements themselves. */
function pointsAt(partId: string): number {
  return ['conclusions', 'summary'].indexOf(partId) + 1;
}

/** So much of the part before is shown, in UTF-16 units. */
const SHOWN_BEFORE = 600;

/** How the part ends that is read before this one; null where there is none, or it is not written yet. */
export function endBefore(partId: string, parts: readonly PartText[], plan: BriefPlan): string | null {
  const at = plan.parts.findIndex(({ id }) => id === partId);
  const before = plan.parts[at - 1];
  const written = parts.find((part) => part.partId === before?.id);
  if (written === undefined) return null;
  const text = withoutMarks(written.draft.markdown).trim();
  const last = text.slice(text.lastIndexOf('\n\n') + 1).trim();
  return last === '' ? null : last.slice(-SHOWN_BEFORE);
}

/** The statements that the claims of these parts rest on. */
export function findingsTold(parts: readonly PartText[]): Set<string> {
  return new Set(parts.flatMap(({ draft }) => draft.claims.flatMap(({ findingIds }) => findingIds)));
}

function inReadingOrder(parts: readonly PartText[], { parts: planned }: BriefPlan): PartText[] {
  const place = new Map(planned.map(({ id }, at) => [id, at]));
  return [...parts].sort((a, b) => (place.get(a.partId) ?? 0) - (place.get(b.partId) ?? 0));
}

function withoutMarks(text: string): string {
  return replaceAsides(
    replaceMarks(text, () => ''),
    () => '',
  ).replace(/[ \t]+(?=[.,;:!?)]|$)/gm, '');
}
