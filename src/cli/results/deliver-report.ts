import type { ClosedRun, RunHandle } from '../../client/run-handle';
import type { CommandContext } from '../command-context';
import { checkOf } from '../../core/report/check-told';
import { setAsideOfReport } from '../../core/report/set-aside-markdown';
import { writeRunFiles } from './run-files';
import type { Session } from '../../app/session/open-session';
import { printLeft } from './print-left';
import { reportTexts } from '../../texts/report';
import { count } from '../../core/values/grouped-digits';
import type { Report } from '../../contracts/report/report';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { inferred } from './inferred';

export async function deliverReport(
  context: CommandContext,
  session: Session,
  run: RunHandle,
  closed: ClosedRun,
  options: { outDir: string | null; json: boolean; html: boolean },
): Promise<void> {
  const { terminal } = context;
  const { runId } = run;
  const stored = await run.report();
  const digest = stored === null ? null : digestReport(stored.report);
  const files =
    stored === null || options.outDir === null
      ? null
      : await writeRunFiles(options.outDir, runId, {
          report: stored.report,
          markdown: await exported(session, runId, 'md'),
          setAside: setAsideOfReport(stored.report),
          html: options.html ? await exported(session, runId, 'html') : null,
        });
  if (options.json) {
    terminal.printJson({
      id: runId,
      status: closed.status,
      ...(closed.message === undefined ? {} : { message: closed.message }),
      files,
      report: digest,
      warnings: stored?.report.warnings ?? [],
      webUi: session.runUrl(runId),
    });
    return;
  }
  printLeft(context, session, {
    runId,
    closed,
    files,
    what: 'report',
    excerpt: digest === null ? null : reportExcerpt(digest),
  });
}

async function exported({ client }: Session, runId: string, format: 'md' | 'html'): Promise<string> {
  const { content } = await client.export(runId, format);
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}

interface ReportDigest {
  title: string;
  sections: string[];
  words: number;
  sourcesCited: number;
  sourcesTotal: number;
  /** The works that the sources are parts of; null where each source is a work of its own. */
  works: { cited: number; total: number } | null;
  conflicts: number;
  gaps: number;
  /** Of how many cited statements how many are supported, as the last line of the report says. */
  claims: { total: number; supported: number; inferred: number };
  /** Null where the report was not judged. */
  judge: { version: number; versions: number; overall: number; passed: boolean } | null;
  /** The first bullet of the Executive Summary, what stands there where nothing answers, or null where there is neither. */
  firstBullet: string | null;
}

export function digestReport(report: Report): ReportDigest {
  const { stated, supported, inference } = checkOf(report);
  return {
    title: safeLine(report.title),
    sections: report.sections.map((section) => safeLine(section.title)),
    words: countWords(withoutSourceList(report)),
    sourcesCited: report.citations.filter(({ timesCited }) => timesCited > 0).length,
    sourcesTotal: report.sources.total,
    works:
      report.sources.works === undefined
        ? null
        : { cited: report.citationReport.uniqueCitations, total: report.sources.works },
    conflicts: report.conflicts.length,
    gaps: report.gaps.length,
    claims: { total: stated, supported, inferred: inference },
    judge:
      report.judge === null
        ? null
        : {
            version: report.judge.version,
            versions: report.judge.versions.length,
            overall: report.judge.overall,
            passed: report.judge.passed,
          },
    firstBullet: firstSummaryBullet(report),
  };
}

export function reportExcerpt(digest: ReportDigest): string[] {
  const lines = [
    digest.title,
    [
      count(digest.sections.length, 'section'),
      count(digest.words, 'word'),
      `${number(digest.sourcesCited)} of ${count(digest.sourcesTotal, 'source')} cited${ofWorks(digest.works)}`,
      count(digest.conflicts, 'conflict'),
      count(digest.gaps, 'gap'),
      `${number(digest.claims.supported)} of ${count(digest.claims.total, 'claim')} supported${inferred(digest.claims)}`,
      ...(digest.judge === null ? [] : [`judged ${digest.judge.overall} of 5`]),
    ].join(' · '),
    ...digest.sections.map((title, index) => `  ${index + 1}. ${safeExcerpt(title, 100)}`),
  ];
  if (digest.firstBullet !== null) lines.push(safeExcerpt(digest.firstBullet, 300));
  return lines;
}

function ofWorks(works: ReportDigest['works']): string {
  return works === null ? '' : ` (${number(works.cited)} of ${count(works.total, 'work')})`;
}

function number(amount: number): string {
  return amount.toLocaleString('en-US');
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu)?.length ?? 0;
}

function withoutSourceList({ markdown }: Report): string {
  const at = markdown.lastIndexOf(`\n## ${reportTexts.headings.sources}\n`);
  return at < 0 ? markdown : markdown.slice(0, at);
}

function firstSummaryBullet({ markdown, sections, overallTheme }: Report): string | null {
  const [, behind = ''] = markdown.split(`\n## ${reportTexts.headings.summary}\n`);
  const [summary = ''] = behind.split(/^## /m);
  const [, first] = /^\s*(?:[-*] )?(?!\|)(\S.*(?:\n {2,}\S.*)*)/.exec(summary) ?? [];
  if (sections.length === 0) return safeLine(overallTheme);
  if (first === undefined) return null;
  return safeLine(first.replace(/\[(\d+)\]\([^)]*\)/g, '[$1]').replace(/[*_]{2}/g, ''));
}
