import type {
  WrittenPart,
  WriteBriefPartActivityInput,
} from '../../../activities/brief/writing/write-brief-part';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { BriefRun } from '../brief-run';
import type { Gathered, PartDraft, Planned } from '../carried-brief';

/** A part on its way, with what it is written from. */
export interface PartToWrite {
  gathered: Gathered;
  planned: Planned;
  partId: string;
  /** What is there of the others. */
  drafts: readonly PartDraft[];
}

/** How a part is spoken of where nothing of the material may be: `part 3 of 14`. */
export function partName({ parts }: Planned, partId: string): string {
  return `part ${parts.findIndex(({ id }) => id === partId) + 1} of ${parts.length}`;
}

/** What the activity is asked for. */
export function requestOf(
  run: BriefRun,
  { gathered, planned, partId, drafts }: PartToWrite,
): Omit<WriteBriefPartActivityInput, 'revises'> {
  const { materialRef } = gathered;
  const others = drafts.filter((draft) => draft.partId !== partId);
  return {
    run: run.facts,
    materialRef,
    planRef: planned.planRef,
    partId,
    drafts: others.map((draft) => ({ partId: draft.partId, draftRef: draft.draftRef })),
  };
}

/** What a warning says of an audit without a model. */
const BY_WORDS = 'what words alone cannot decide of it is unchecked';

/** Holds a part against what it cites; one that no model wrote asks nobody. Where it cannot be audited, what it says for sure stands. */
export async function audited(
  run: BriefRun,
  { gathered: { materialRef }, planned, partId }: PartToWrite,
  { draftRef, sentences }: Pick<WrittenPart, 'draftRef' | 'sentences'>,
  version: number,
): Promise<PartDraft> {
  const name = partName(planned, partId);
  const request = { run: run.facts, materialRef, partId, draftRef, version };
  const summary = `${name} · audit`;
  const found = await orShortfall(
    run,
    () =>
      sentences === 0
        ? run.carryOut(activities.auditBriefPart, request, summary)
        : run.ask(activities.auditBriefPart, request, summary, BY_WORDS),
    (reason) =>
      run.addShortfall(
        `Pass 2 could not audit ${name} (${reason}); what does not keep to the words of what it cites was replaced by those.`,
      ),
  );
  if (found === null) return { partId, draftRef, critiqueRef: null, needsRetry: false };
  return { partId, ...partOf(found) };
}

function partOf({ draftRef, critiqueRef, needsRetry }: Omit<PartDraft, 'partId'>): Omit<PartDraft, 'partId'> {
  return { draftRef, critiqueRef, needsRetry };
}
