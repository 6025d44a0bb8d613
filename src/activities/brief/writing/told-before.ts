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

/** What these parts say, claim by claim, in the order in which they are read. */
export function toldIn(parts: readonly PartText[], plan: BriefPlan): z.infer<typeof ToldSentence>[] {
  return inReadingOrder(parts, plan).flatMap(({ partId, draft }) =>
    draft.claims.map(({ text, findingIds }) => ({ partId, text: withoutMarks(text), findingIds })),
  );
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
