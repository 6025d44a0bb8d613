import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { BriefRun, Gathered, PartDraft, Planned } from '../carried-brief';
import type {
  WrittenPart,
  WriteBriefPartActivityInput,
} from '../../../activities/brief/writing/write-brief-part';

/**
 * The text: in one call where it is short enough to be coherent then, else part by part, in series, each knowing what the others
 * have said. A part that a model cannot write is quoted; one that cannot be written at all is missing, and that is told. Behind
 * each part the history may end.
 */
export async function writeBrief(run: BriefRun, gathered: Gathered, planned: Planned): Promise<void> {
  const { carried } = run;
  if (planned.isOneCall && carried.drafts.length === 0 && (await isWrittenAtOnce(run, gathered, planned)))
    return;
  const order = inWritingOrder(planned.parts.map(({ id }) => id));
  run.plan(2 * order.length, 2 * carried.drafts.length);
  for (const partId of order) {
    if (
      carried.missing.some((part) => part.partId === partId) ||
      carried.drafts.some((draft) => draft.partId === partId)
    )
      continue;
    await writePart(run, { gathered, planned, partId, drafts: carried.drafts });
    await run.continueAsNewIfLong();
  }
}

/** Writes and audits a part; nothing is kept of one that cannot be written. */
async function writePart(run: BriefRun, part: PartToWrite): Promise<void> {
  const { planned, partId } = part;
  const name = partName(planned, partId);
  const written = await orShortfall(
    run,
    () => run.ask(activities.writeBriefPart, requestOf(run, part), `${name} · write`),
    async (reason) => {
      const told = `Pass 2 could not write ${name} (${reason}), so it is missing.`;
      run.carried.missing.push({ partId, told });
      await run.warn({ code: 'pass-failed', message: told });
    },
  );
  if (written === null) return;
  const { draftRef } = written;
  keep(run, { partId, draftRef, critiqueRef: null, needsRetry: false });
  keep(run, await audited(run, part, written, 1));
  run.finishPiece(partId);
}

/** What there is by now, as soon as it is there: a brief that ends early is made of it. */
function keep({ carried }: BriefRun, draft: PartDraft): void {
  const { drafts } = carried;
  const at = drafts.findIndex(({ partId }) => partId === draft.partId);
  if (at < 0) drafts.push(draft);
  else drafts[at] = draft;
}

async function isWrittenAtOnce(run: BriefRun, gathered: Gathered, planned: Planned): Promise<boolean> {
  const { materialRef } = gathered;
  const { planRef } = planned;
  run.plan(1 + planned.parts.length);
  const written = await orShortfall(
    run,
    () => run.ask(activities.writeBrief, { run: run.facts, materialRef, planRef }, 'write all parts'),
    () => undefined,
  );
  if (written === null) return false;
  run.carried.planned = { ...planned, planRef: written.planRef ?? planRef };
  for (const { partId, draftRef } of written.drafts)
    keep(run, { partId, draftRef, critiqueRef: null, needsRetry: false });
  for (const part of written.drafts) {
    const { partId } = part;
    keep(run, await audited(run, { gathered, planned, partId, drafts: [] }, part, 1));
    run.finishPiece(partId);
  }
  return true;
}

export interface PartToWrite {
  gathered: Gathered;
  planned: Planned;
  partId: string;
  drafts: readonly PartDraft[];
}

/** How a part is spoken of where nothing of the material may be: `part 3 of 14`. */
export function partName({ parts }: Planned, partId: string): string {
  return `part ${parts.findIndex(({ id }) => id === partId) + 1} of ${parts.length}`;
}

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

const SUMMARY = 'summary';
const CONCLUSIONS = 'conclusions';

/** In which order parts are written: subtopics, what follows from them, and the summary of it all at last, though it is read first. */
export function inWritingOrder(partIds: readonly string[]): string[] {
  const last = [CONCLUSIONS, SUMMARY];
  return [...partIds.filter((id) => !last.includes(id)), ...last.filter((id) => partIds.includes(id))];
}
