import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { Progress } from '../../contracts/run/run';
import { passMessage, PASS_NAMES, passNumber } from '../../core/run/pass-messages';
import { escapeMarkdown } from '../../core/text/untrusted-text';
import {
  ColligateCitations,
  ColligateKind,
  ColligatePass,
  ColligateStatus,
} from '../../temporal/search-attributes';
import type { PassRefs, RunMemo, RunUsage } from './messages';
import type { RunState } from './run-state';

/** What the server itself shows of a run: in lists, in the Web UI, and while no worker is alive to answer queries. */
export function mirrorRun(
  progress: Progress,
  facts: Omit<RunMemo, 'status' | 'pass' | 'waiting' | 'parked'>,
  searchAttributes: boolean,
): void {
  const { status, pass, waiting, parked } = progress;
  const memo: RunMemo = { ...facts, status, pass, waiting, parked };
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

export interface RunDetails {
  progress: Progress;
  state: RunState;
  counts: { sources: number; inFull: number };
  /** Ids of the sections that the pass is done with. */
  doneSections: readonly string[];
  /** How many the report has; null before there is one. */
  citations: number | null;
}

/**
 * The passes as a Markdown list with what is done and what goes on, the sections of the pass under it, and what the run
 * has come to so far; the Web UI shows it as the run's current details.
 */
export function showDetails(details: RunDetails): void {
  const { progress, state, counts } = details;
  const lines = PASS_NAMES.flatMap((name) => {
    const label = `${passNumber(name)}. ${passMessage(name, counts)}`;
    if (state.finishedPasses.includes(name)) return `- ✓ ${label}`;
    if (name !== progress.pass.name) return `- ${label}`;
    return progress.section === null ? `- **${label}**` : [`- **${label}**`, ...sectionLines(details)];
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
  const { what, since, nextTry, reason } = waiting;
  return ['', `Waiting for ${what} since ${since}, next try at ${nextTry}: ${escapeMarkdown(reason)}`];
}

/** The Web UI cuts off the lower part of the last line. */
const CLIPPED_LINE = '\u00a0';

function sectionLines({ progress, state, doneSections }: RunDetails): string[] {
  const { sections } = state;
  return [
    `  - ${progress.section?.index ?? 0} of ${sections.length} sections done`,
    ...sections.map(({ id }, index) => `  - ${doneSections.includes(id) ? '✓ ' : ''}Section ${index + 1}`),
  ];
}

function factsSoFar({ progress, citations }: RunDetails): string {
  const { usage, warnings } = progress;
  const facts: string[] = [];
  if (citations !== null) facts.push(counted(citations, 'citation'));
  if (warnings.length > 0) facts.push(counted(warnings.length, 'warning'));
  if (usage.calls > 0) {
    facts.push(`${counted(usage.calls, 'call')}, ${usage.cachedCalls} from the cache`);
    facts.push(counted(usage.inputTokens + usage.outputTokens, 'token'));
  }
  if (usage.costUsd > 0) facts.push(`$${usage.costUsd.toFixed(2)}`);
  return facts.join(' · ');
}

function counted(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
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
