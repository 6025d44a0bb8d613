import type { WholeVersion } from '../../run/judging/versions';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { BriefRun } from '../brief-run';
import { costOfPart } from '../call-costs';
import type { Gathered, PartDraft, Planned } from '../carried-brief';
import { audited, partName, requestOf, type PartToWrite } from './part-texts';
import { inWritingOrder } from './writing-order';

/** Writes parts of a version anew, told what is wrong with them; a part that is missing is written at last. */
export async function reviseParts(
  run: BriefRun,
  { gathered, planned }: { gathered: Gathered; planned: Planned },
  from: WholeVersion<PartDraft[]>,
  named: readonly string[],
  version: number,
): Promise<{ text: PartDraft[]; revised: string[] } | null> {
  const order = inWritingOrder(planned.parts.map(({ id }) => id)).filter((id) => named.includes(id));
  let text = from.text;
  const revised: string[] = [];
  run.plan(2 * order.length + 2);
  for (const partId of order) {
    const before = text.find((draft) => draft.partId === partId) ?? null;
    const part = { gathered, planned, partId, drafts: text };
    const after = await revisedPart(run, part, { before, from, version });
    if (after === null) continue;
    text = [...text.filter((draft) => draft.partId !== partId), after];
    revised.push(partId);
  }
  return revised.length === 0 ? null : { text, revised };
}

/** Null where nothing came of it, or the same again, so that the text before it stands and no audit or judge is paid for it. */
async function revisedPart(
  run: BriefRun,
  part: PartToWrite,
  { before, from, version }: { before: PartDraft | null; from: WholeVersion<PartDraft[]>; version: number },
): Promise<PartDraft | null> {
  const revises =
    before === null
      ? {}
      : {
          revises: {
            draftRef: before.draftRef,
            critiqueRef: before.critiqueRef,
            version,
            judgementRef: from.judged.judgementRef,
          },
        };
  const { gathered, planned, partId } = part;
  const cost = costOfPart(run, gathered, planned, partId);
  const written = await orShortfall(
    run,
    () =>
      run.askModel(
        activities.writeBriefPart,
        { ...requestOf(run, part), ...revises },
        `version ${version} · ${partName(planned, partId)} · revise`,
        cost,
        'the text before it stands',
      ),
    () => undefined,
  );
  return written === null || written.isUnchanged === true ? null : audited(run, part, written, version);
}
