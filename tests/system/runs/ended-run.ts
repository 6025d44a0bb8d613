import { ApplicationFailure } from '@temporalio/common';
import type { Report } from '../../../src/contracts/report/report';
import type { RunHandle } from '../../../src/client';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import type { RunBench } from '../../support/run-bench';
import { createScriptedEngine, type ScriptedEngine, type StepScript } from '../../support/scripted-engine';
import { reportOf, type ScriptedRuns } from './scripted-runs';

/** A failure that comes again whenever it is tried. */
export function broken(what: string): StepScript {
  return () => {
    throw ApplicationFailure.nonRetryable(`the ${what} is out of order.`);
  };
}

/** The script with some of its steps replaced. */
export function scripted(changes: Record<string, StepScript>): ScriptedEngine {
  return createScriptedEngine({ ...REPORT_SCRIPT, ...changes });
}

export type Ended = {
  run: RunHandle;
  status: string;
  report: Report;
  markdown: string;
  engine: ScriptedEngine;
};

export async function ended(
  runs: ScriptedRuns,
  runId: string,
  engine: ScriptedEngine,
  given: Parameters<RunBench['request']>[0] = {},
): Promise<Ended> {
  runs.engine = engine;
  const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId, ...given }));
  const { status } = await run.waitUntilClosed();
  return { run, status, engine, ...(await reportOf(run)) };
}

/** Whatever failed, what a report cites and quotes stands in its sources. */
export function expectSound({ report, markdown }: Ended): void {
  const numbers = new Set(report.citations.map(({ n }) => n));
  for (const [, n] of markdown.matchAll(/(?<!\\)\[(\d+)\]/g)) expect(numbers).toContain(Number(n));
  for (const { evidence } of report.claims) {
    for (const { n, quote, start, end } of evidence) {
      const id = report.citations.find((citation) => citation.n === n)?.sourceId;
      expect(SOURCES.find((source) => source.id === id)?.content.slice(start, end)).toBe(quote);
    }
  }
}
