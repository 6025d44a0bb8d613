import type { BriefHandle } from '../../client/brief/brief-request';
import type { ClosedRun } from '../../client/run-handle';
import type { Session } from '../../app/session/open-session';
import type { Brief } from '../../contracts/brief/brief';
import { setAsideOfBrief } from '../../core/report/set-aside-markdown';
import type { CommandContext } from '../command-context';
import { printLeft } from './print-left';
import { runFilePaths, writeRunFiles, type RunFiles } from './run-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { count } from '../../core/values/grouped-digits';
import { inferred } from './inferred';

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
    printLeft(context, session, {
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
  const setAside = setAsideOfBrief(brief);
  return writeRunFiles(outDir, runId, { markdown, report: written, setAside, html: null });
}

interface BriefDigest {
  title: string;
  parts: string[];
  words: number;
  /** Null where none were wanted. */
  wordsWanted: number | null;
  sourcesCited: number;
  sourcesTotal: number;
  /** Those whose texts were given, so that summaries could be held against them. */
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
  const wanted = wordsWanted === null ? '' : ` of ${count(wordsWanted, 'word')} wanted`;
  return [
    digest.title,
    [
      `${count(words, 'word')}${wanted}`,
      `${digest.sourcesCited} of ${count(digest.sourcesTotal, 'source')} cited`,
      count(digest.conflicts, 'disagreement'),
      `${claims.supported} of ${count(claims.total, 'claim')} supported${inferred(claims)}`,
      ...(digest.setAside === 0 ? [] : [`${digest.setAside} set aside`]),
    ].join(' · '),
    ...digest.parts.map((title, index) => `  ${index + 1}. ${safeExcerpt(title, 100)}`),
    digest.sourcesInFull === 0
      ? 'No text of a source was given: claims are checked against the summaries alone.'
      : `The texts of ${count(digest.sourcesInFull, 'source')} were given, and the summaries held against them.`,
    ...(judge === null ? [] : [judgeLine(judge)]),
    ...(digest.qualityCheckPasses ? [] : ['The quality check does not pass; report.json says why.']),
  ];
}

function judgeLine({ version, versions, overall, passed }: NonNullable<BriefDigest['judge']>): string {
  const kept = versions === 1 ? 'judged once' : `version ${version} of ${versions} is kept`;
  return `Judged ${overall.toFixed(1)} of 5, ${passed ? 'passed' : 'not passed'}; ${kept}.`;
}
