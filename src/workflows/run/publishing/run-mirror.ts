import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { PassName } from '../../../contracts/kinds';
import type { Progress } from '../../../contracts/run/run';
import { takesNoMore } from '../../../core/run/endpoint-limit';
import { escapeMarkdown } from '../../../core/text/untrusted-text';
import {
  ColligateKind,
  ColligatePass,
  ColligateSchedule,
  ColligateStatus,
} from '../../../temporal/search-attributes';
import type { CarriedRun } from '../carried-run';
import type { RunMemo, RunUsage } from '../messages';

/** What the server itself shows of a run: in lists, in the Web UI, and while no worker is alive to answer queries. */
export function mirrorRun(
  progress: Progress,
  facts: Omit<RunMemo, 'status' | 'pass' | 'waiting' | 'parked'>,
  searchAttributes: boolean,
): void {
  const { status, pass, waiting, parked } = progress;
  const { schedule } = facts;
  const memo: RunMemo = { ...facts, status, pass, waiting, parked };
  upsertMemo({ ...memo });
  if (searchAttributes) {
    upsertSearchAttributes([
      { key: ColligateKind, value: progress.kind },
      { key: ColligateStatus, value: progress.status },
      { key: ColligatePass, value: progress.pass.number },
      ...(schedule === undefined ? [] : [{ key: ColligateSchedule, value: schedule }]),
    ]);
  }
}

export interface RunDetails {
  progress: Progress;
  passes: readonly { name: PassName; message: string }[];
  finishedPasses: readonly PassName[];
  /** Lines of a Markdown list, for under the pass that goes on. */
  underPass: readonly string[];
  facts: readonly string[];
}

/**
 * The passes as a Markdown list with what is done and what goes on, the pieces of the pass under it, and what the run
 * has come to so far; the Web UI shows it as the run's current details.
 */
export function showDetails(details: RunDetails): void {
  const { progress, passes, finishedPasses, underPass } = details;
  const lines = passes.flatMap(({ name, message }, number) => {
    const label = `${number}. ${message}`;
    if (finishedPasses.includes(name)) return `- ✓ ${label}`;
    return name === progress.pass.name ? [`- **${label}**`, ...underPass] : `- ${label}`;
  });
  const facts = factsSoFar(details);
  setCurrentDetails(
    [
      `**${progress.status}** · ${progress.percent} %`,
      ...standstillLines(progress),
      '',
      ...lines,
      ...(facts === '' ? [] : ['', facts]),
      '',
      CLIPPED_LINE,
    ].join('\n'),
  );
}

/** What a run waits for, or is parked for; what an endpoint says of it is shown, and does nothing. */
function standstillLines({ waiting, parked }: Progress): string[] {
  if (parked !== null)
    return ['', `Parked since ${parked.since}, until \`resume\`: ${escapeMarkdown(parked.reason)}`];
  if (waiting === null) return [];
  const { what, since, nextTry, reason, until } = waiting;
  if (until !== undefined) return ['', escapeMarkdown(takesNoMore({ what, until, reason }))];
  return ['', `Waiting for ${what} since ${since}, next try at ${nextTry}: ${escapeMarkdown(reason)}`];
}

/** The Web UI cuts off the lower part of the last line. */
const CLIPPED_LINE = '\u00a0';

function factsSoFar({ progress, facts: known }: RunDetails): string {
  const { usage, warnings } = progress;
  const facts = [...known];
  if (warnings.length > 0) facts.push(counted(warnings.length, 'warning'));
  if (usage.calls > 0) {
    facts.push(`${counted(usage.calls, 'call')}, ${usage.cachedCalls} from the cache`);
    facts.push(counted(usage.inputTokens + usage.outputTokens, 'token'));
  }
  if (usage.costUsd > 0) facts.push(`$${usage.costUsd.toFixed(2)}`);
  return facts.join(' · ');
}

/** `1 call`, `2 calls`. */
export function counted(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

export function usageOf({ ledger }: CarriedRun): RunUsage {
  return { total: ledger.spent, byPass: ledger.byPass };
}
