import { condition } from '@temporalio/workflow';
import type { CarriedReport, ReportRun } from '../carried-report';
import { waitingSources } from './given-sources';

export function needsApproval({ input, carried }: ReportRun): boolean {
  return (
    input.approval !== undefined &&
    carried.approval?.isOver !== true &&
    carried.noAnswer !== true &&
    carried.sections.length > 0
  );
}

/**
 * Waits until somebody approves of the outline, or until the time for that is over, pauses not counted. It ends as well where a
 * message brings something to take up first, and where so many came that the history has to end; the rest of the time is kept.
 */
export async function awaitApproval(run: ReportRun): Promise<void> {
  const { carried, input } = run;
  const timeoutMs = input.approval?.timeoutMs ?? 0;
  const isFirst = carried.approval === undefined;
  const leftMs = carried.approval?.leftMs ?? timeoutMs;
  carried.approval = { leftMs, isAwaited: true, isOver: false };
  if (isFirst) await run.tellOnce({ type: 'approval-awaited', payload: { timeoutMs } }, 0);
  await run.awaitingApproval(async () => {
    while (isAwaited(run)) {
      if (run.isPaused) {
        await condition(() => !run.isPaused || !isAwaited(run));
        continue;
      }
      const since = Date.now();
      const left = carried.approval?.leftMs ?? 0;
      const isOther = await condition(() => run.isPaused || !isAwaited(run), Math.max(1, left));
      if (carried.approval?.isAwaited !== true) break;
      carried.approval.leftMs = Math.max(0, left - (Date.now() - since));
      if (!isOther) carried.approval = { leftMs: 0, isAwaited: false, isOver: true };
    }
  });
  if (!isApproved(carried)) return;
  const by = carried.appliedCounts?.approveOutline === undefined ? 'timeout' : 'approval';
  await run.tellOnce({ type: 'approval-over', payload: { by } }, 0);
  if (by === 'timeout')
    await run.warn({
      code: 'not-approved',
      message: 'Nobody approved of the outline in the time that there was, so the report goes on with it.',
    });
}

function isApproved({ approval }: CarriedReport): boolean {
  return approval?.isOver === true;
}

function isAwaited(run: ReportRun): boolean {
  const { carried } = run;
  return (
    !isApproved(carried) &&
    carried.wantedOutlineRef === undefined &&
    waitingSources(run) === 0 &&
    !run.isCrowded()
  );
}

export function approvalLines(approval: CarriedReport['approval']): string[] {
  if (approval?.isAwaited !== true) return [];
  return [
    `  - Waits for the approval of the outline (update \`approveOutline\`), ${Math.ceil(approval.leftMs / 60_000)} min at most`,
  ];
}
