import { diffReports } from '../diff/diff-reports';
import type { Report } from '../contracts/report/report';
import type { ReportDiff } from '../contracts/report/report-diff';
import { RunWithoutReportError } from './run-errors';
import type { RunHandle } from './run-handle';

/** Both runs are looked up before either is said to have no report; what they have read is compared where it is kept. */
export async function diffRuns(before: RunHandle, after: RunHandle): Promise<ReportDiff> {
  const stored = await Promise.all([before.report(), after.report()]);
  const [earlier, later] = stored;
  const reports = [await reportOf(before, earlier), await reportOf(after, later)] as const;
  const read = await Promise.all([before.passResult('gather'), after.passResult('gather')]);
  const [sourcesBefore, sourcesAfter] = read.map((catalogue) => catalogue?.sources);
  const isKnown = sourcesBefore !== undefined && sourcesAfter !== undefined;
  return diffReports(...reports, isKnown ? { before: sourcesBefore, after: sourcesAfter } : null);
}

async function reportOf(run: RunHandle, stored: { report: Report } | null): Promise<Report> {
  if (stored !== null) return stored.report;
  const { status } = await run.progress();
  throw new RunWithoutReportError(run.runId, status);
}
