import { diffReports } from '../diff/diff-reports';
import type { Report } from '../contracts/report/report';
import type { ReportDiff } from '../contracts/report/report-diff';
import { RunKindError, RunWithoutReportError } from './run-errors';
import type { RunHandle } from './run-handle';

/** Both runs are looked up before either is said to have no report; what they have read is compared where it is kept. */
export async function diffRuns(before: RunHandle, after: RunHandle): Promise<ReportDiff> {
  for (const run of [before, after]) await refuseOthers(run);
  const stored = await Promise.all([before.report(), after.report()]);
  const [earlier, later] = stored;
  const reports = [await reportOf(before, earlier), await reportOf(after, later)] as const;
  const read = await Promise.all([before.passResult('gather'), after.passResult('gather')]);
  const [sourcesBefore, sourcesAfter] = read.map((catalogue) => catalogue?.sources);
  const isKnown = sourcesBefore !== undefined && sourcesAfter !== undefined;
  return diffReports(...reports, isKnown ? { before: sourcesBefore, after: sourcesAfter } : null);
}

async function refuseOthers(run: RunHandle): Promise<void> {
  const kind = await run.kind();
  if (kind !== 'report') throw new RunKindError(run.runId, kind, 'Only reports can be compared.');
}

async function reportOf(run: RunHandle, stored: { report: Report } | null): Promise<Report> {
  if (stored !== null) return stored.report;
  const { status } = await run.progress();
  throw new RunWithoutReportError(run.runId, status);
}
