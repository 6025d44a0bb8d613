import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { Progress } from '../core/contracts/run';
import { passMessage, PASS_NAMES, passNumber } from '../core/pass-messages';
import {
  ColligateCitations,
  ColligateKind,
  ColligatePass,
  ColligateStatus,
} from '../temporal/search-attributes';
import type { PassRefs, RunMemo, RunUsage } from './messages';
import type { RunState } from './run-state';

/** What the server itself shows of a run: in lists, in the Web UI, and while no worker is alive to answer queries. */
export function mirrorRun(
  progress: Progress,
  facts: Omit<RunMemo, 'status' | 'pass'>,
  searchAttributes: boolean,
): void {
  const memo: RunMemo = { ...facts, status: progress.status, pass: progress.pass };
  upsertMemo({ ...memo });
  if (searchAttributes) {
    upsertSearchAttributes([
      { key: ColligateKind, value: progress.kind },
      { key: ColligateStatus, value: progress.status },
      { key: ColligatePass, value: progress.pass.number },
    ]);
  }
}

export function mirrorCitations(citations: number): void {
  upsertSearchAttributes([{ key: ColligateCitations, value: citations }]);
}

/** The passes as a Markdown list with what is done and what goes on; the Web UI shows it as the run's current details. */
export function showDetails(
  progress: Progress,
  state: RunState,
  counts: { sources: number; inFull: number },
): void {
  const lines = PASS_NAMES.map((name) => {
    const message = passMessage(name, counts);
    const label = `${passNumber(name)}. ${message}`;
    if (state.finishedPasses.includes(name)) return `- ✓ ${label}`;
    if (name !== progress.pass.name) return `- ${label}`;
    const section =
      progress.section === null ? '' : ` section ${progress.section.index} of ${progress.section.of}`;
    return `- **${label}**${section}`;
  });
  setCurrentDetails([`**${progress.status}** · ${progress.percent} %`, '', ...lines].join('\n'));
}

export function passRefs(state: RunState): PassRefs {
  const findings = state.sections.flatMap((section) => section.findingsRef ?? []);
  return {
    ...(state.catalogue ? { gather: state.catalogue.ref } : {}),
    ...(state.outline ? { overview: state.outline.ref } : {}),
    ...(findings.length > 0 ? { 'deep-dive': findings } : {}),
    ...(state.validatedRef ? { 'cross-reference': state.validatedRef } : {}),
  };
}

export function usageOf(state: RunState): RunUsage {
  return { total: state.ledger.spent, byPass: state.ledger.byPass };
}
