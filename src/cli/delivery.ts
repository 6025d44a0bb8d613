import path from 'node:path';
import type { Session } from '../app/session';
import type { ClosedRun, ClosedStatus, RunHandle } from '../client/run-handle';
import type { BriefHandle } from '../client/run-requests';
import type { Brief } from '../contracts/brief';
import type { Report } from '../contracts/report';
import { formatCount } from '../lib/strings';
import { rejectedClaimsOfBrief, rejectedClaimsOfReport } from '../report/citations';
import { summarizeCheck } from '../report/claims';
import { reportTexts } from '../report/report-texts';
import { COMMAND, type CommandContext, quoteRunId } from './command-context';
import { runFilePaths, type RunFiles, writeRunFiles } from './run-files';
import { safeExcerpt, safeLine } from './terminal';

// Prints the result of a closed report or brief, and writes its files.

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
          markdown: await exportText(session, runId, 'md'),
          setAside: rejectedClaimsOfReport(stored.report),
          html: options.html ? await exportText(session, runId, 'html') : null,
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
  printResult(context, session, {
    runId,
    closed,
    files,
    what: 'report',
    excerpt: digest === null ? null : reportExcerpt(digest),
  });
}

async function exportText({ client }: Session, runId: string, format: 'md' | 'html'): Promise<string> {
  const { content } = await client.export(runId, format);
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}

interface ReportDigest {
  title: string;
  sections: string[];
  words: number;
  sourcesCited: number;
  sourcesTotal: number;
  /** Works that the sources are parts of; null if each source is a work of its own. */
  works: { cited: number; total: number } | null;
  conflicts: number;
  gaps: number;
  claims: { total: number; supported: number; inferred: number };
  /** Null if the report was not judged. */
  judge: { version: number; versions: number; overall: number; passed: boolean } | null;
  /** First bullet of the Executive Summary. Without sections it is the overall theme; null without a bullet. */
  firstBullet: string | null;
}

export function digestReport(report: Report): ReportDigest {
  const { stated, supported, inference } = summarizeCheck(report);
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
      formatCount(digest.sections.length, 'section'),
      formatCount(digest.words, 'word'),
      `${number(digest.sourcesCited)} of ${formatCount(digest.sourcesTotal, 'source')} cited${ofWorks(digest.works)}`,
      formatCount(digest.conflicts, 'conflict'),
      formatCount(digest.gaps, 'gap'),
      `${number(digest.claims.supported)} of ${formatCount(digest.claims.total, 'claim')} supported${inferredSuffix(digest.claims)}`,
      ...(digest.judge === null ? [] : [`judged ${digest.judge.overall} of 5`]),
    ].join(' · '),
    ...digest.sections.map((title, index) => `  ${index + 1}. ${safeExcerpt(title, 100)}`),
  ];
  if (digest.firstBullet !== null) lines.push(safeExcerpt(digest.firstBullet, 300));
  return lines;
}

function ofWorks(works: ReportDigest['works']): string {
  return works === null ? '' : ` (${number(works.cited)} of ${formatCount(works.total, 'work')})`;
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

export async function deliverBrief(
  context: CommandContext,
  session: Session,
  run: BriefHandle,
  closed: ClosedRun,
  options: { outDir: string | null; json: boolean },
): Promise<void> {
  const { runId } = run;
  const brief = await run.result();
  const digest = brief === null ? null : digestBrief(brief);
  const files =
    brief === null || options.outDir === null ? null : await writeBrief(options.outDir, runId, brief);
  if (options.json)
    context.terminal.printJson({
      id: runId,
      status: closed.status,
      ...(closed.message === undefined ? {} : { message: closed.message }),
      files,
      brief: digest,
      warnings: brief?.warnings ?? [],
      webUi: session.runUrl(runId),
    });
  else
    printResult(context, session, {
      runId,
      closed,
      files,
      what: 'brief',
      excerpt: digest === null ? null : briefExcerpt(digest),
    });
}

function writeBrief(outDir: string, runId: string, brief: Brief): Promise<RunFiles> {
  const reportPath = runFilePaths(outDir, runId).markdown;
  const written: Brief = { ...brief, metadata: { ...brief.metadata, reportPath } };
  const { markdown } = brief;
  const setAside = rejectedClaimsOfBrief(brief);
  return writeRunFiles(outDir, runId, { markdown, report: written, setAside, html: null });
}

interface BriefDigest {
  title: string;
  parts: string[];
  words: number;
  /** Null if no length was requested. */
  wordsWanted: number | null;
  sourcesCited: number;
  sourcesTotal: number;
  /** Sources with a full text, against which summaries were checked. */
  sourcesInFull: number;
  conflicts: number;
  claims: { total: number; supported: number; inferred: number };
  setAside: number;
  judge: { version: number; versions: number; overall: number; passed: boolean } | null;
  qualityCheckPasses: boolean;
}

function digestBrief({ title, parts, length, citations, judge, ...brief }: Brief): BriefDigest {
  return {
    title: safeLine(title),
    parts: parts.map((part) => safeLine(part.title)),
    words: length.words,
    wordsWanted: length.wanted,
    sourcesCited: citations.filter(({ timesCited }) => timesCited > 0).length,
    sourcesTotal: brief.metadata.citationCount,
    sourcesInFull: citations.filter(({ inFull }) => inFull).length,
    conflicts: brief.conflicts.length,
    claims: { total: brief.audit.claims, supported: brief.audit.supported, inferred: brief.audit.inference },
    setAside: brief.setAside.length,
    judge:
      judge === null
        ? null
        : {
            version: judge.version,
            versions: judge.versions.length,
            overall: judge.overall,
            passed: judge.passed,
          },
    qualityCheckPasses: brief.metadata.qualityCheck.passes,
  };
}

function briefExcerpt(digest: BriefDigest): string[] {
  const { words, wordsWanted, claims, judge } = digest;
  const wanted = wordsWanted === null ? '' : ` of ${formatCount(wordsWanted, 'word')} wanted`;
  return [
    digest.title,
    [
      `${formatCount(words, 'word')}${wanted}`,
      `${digest.sourcesCited} of ${formatCount(digest.sourcesTotal, 'source')} cited`,
      formatCount(digest.conflicts, 'disagreement'),
      `${claims.supported} of ${formatCount(claims.total, 'claim')} supported${inferredSuffix(claims)}`,
      ...(digest.setAside === 0 ? [] : [`${digest.setAside} set aside`]),
    ].join(' · '),
    ...digest.parts.map((title, index) => `  ${index + 1}. ${safeExcerpt(title, 100)}`),
    digest.sourcesInFull === 0
      ? 'No text of a source was given: claims are checked against the summaries alone.'
      : `The texts of ${formatCount(digest.sourcesInFull, 'source')} were given, and the summaries held against them.`,
    ...(judge === null ? [] : [judgeLine(judge)]),
    ...(digest.qualityCheckPasses ? [] : ['The quality check does not pass; report.json says why.']),
  ];
}

function judgeLine({ version, versions, overall, passed }: NonNullable<BriefDigest['judge']>): string {
  const kept = versions === 1 ? 'judged once' : `version ${version} of ${versions} is kept`;
  return `Judged ${overall.toFixed(1)} of 5, ${passed ? 'passed' : 'not passed'}; ${kept}.`;
}

const REASON_CHARS = 2_000;

interface DeliveredResult {
  runId: string;
  closed: ClosedRun;
  what: 'report' | 'brief';
  files: RunFiles | null;
  /** The title, then lines about the content; null without a result. */
  excerpt: string[] | null;
}

const RESULT_LINES: Record<ClosedStatus, (what: DeliveredResult['what']) => string> = {
  completed: (what) => `The ${what} is in`,
  partial: (what) => `The ${what} is partial (its warnings say why). It is in`,
  cancelled: (what) => `The run was cancelled. Its partial ${what} is in`,
  failed: () => 'The run failed. What it had until then is in',
};

function printResult(context: CommandContext, session: Session, left: DeliveredResult): void {
  const { terminal, io } = context;
  const here = (file: string): string => relativeTo(io.cwd, file);
  const { runId, closed, what, files, excerpt } = left;
  if (closed.status === 'failed')
    terminal.say(
      `Run ${runId} failed: ${safeExcerpt(closed.message ?? 'the server gives no reason', REASON_CHARS)}`,
    );
  if (excerpt === null) terminal.say(`Run ${runId}: ${closed.status}, and it left no ${what}.`);
  else {
    const [title = '', ...rest] = excerpt;
    terminal.print('');
    terminal.print(terminal.colours.bold(title));
    for (const line of rest) terminal.print(line);
    terminal.print('');
    if (files === null) terminal.print(`To read it: ${COMMAND} show ${quoteRunId(runId)}`);
    else {
      terminal.print(RESULT_LINES[closed.status](what));
      terminal.print(`  ${here(files.markdown)}   to read`);
      terminal.print(`  ${here(files.json)}   with the evidence of every claim`);
      if (files.html !== null)
        terminal.print(`  ${here(files.html)}   to look at in a browser: each claim with its passage`);
      if (files.setAside !== null)
        terminal.print(`  ${here(files.setAside)}   with what was set aside, and why`);
    }
  }
  printWebUi(context, session, runId);
}

/** An embedded server ends with the command. Its Web UI needs `dev`. */
function printWebUi({ terminal }: CommandContext, session: Session, runId: string): void {
  const url = session.runUrl(runId);
  if (url === null) return;
  terminal.print(
    session.startedServer
      ? `To see the finished run in the Web UI: ${COMMAND} dev   then open ${url}`
      : `The finished run in the Web UI: ${url}`,
  );
}

function relativeTo(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') ? file : relative;
}

function inferredSuffix(claims: { inferred: number }): string {
  return claims.inferred === 0 ? '' : ` and ${claims.inferred} inferred`;
}
