import { briefPassMarkdown, type BriefPassResult, type BriefPassWithResult } from '../client/brief-passes';
import { RunKindError, RunWithoutReportError } from '../client/client-errors';
import { passDocument, passMarkdown } from '../client/pass-markdown';
import type { PassResult, PassWithResult } from '../client/pass-results';
import type { RunHandle, RunProgress } from '../client/run-handle';
import type { BriefHandle } from '../client/run-requests';
import type { Brief } from '../contracts/brief';
import type { Report } from '../contracts/report';
import { LAST_PASS, PASS_NAMES, passLine } from '../contracts/run-protocol';
import { CLOSED_STATUSES } from '../contracts/run-status';
import { stripUnsafe } from '../lib/untrusted-text';
import { COMMAND, type CommandContext, ExitCode, quoteRunId, UsageError } from './command-context';
import type { PassArgument } from './command-options';
import {
  type ClaimsListing,
  claimsText,
  listClaims,
  type ListedClaim,
  showAnswer,
  toListedClaim,
  VERDICTS_WORST_FIRST,
} from './result-text';
import { safeLine } from './terminal';
import { withRun } from './with-session';

export interface ShowOptions {
  format: 'md' | 'json';
  json?: boolean;
  pass?: PassArgument;
  claims?: boolean;
  version?: number;
}

export function showRun(context: CommandContext, id: string, options: ShowOptions): Promise<ExitCode> {
  const json = options.json === true || options.format === 'json';
  return withRun(context, id, async ({ run, session }) => {
    const kind = await run.kind();
    const { pass, version } = options;
    if (version !== undefined) {
      const { report, markdown } = await run.version(version);
      if (json) context.terminal.printJson(report);
      else context.terminal.print(stripUnsafe(markdown).trimEnd());
      return ExitCode.ok;
    }
    if (kind === 'answer') {
      if (pass !== undefined) throw new RunKindError(id, 'answer', 'It has no passes: leave out --pass.');
      return showAnswer(context, session.client.answerOf(id), { json, claims: options.claims === true });
    }
    if (kind === 'brief') {
      const brief = session.client.briefOf(id);
      if (pass === undefined) return showBrief(context, brief, { json, claims: options.claims === true });
      if (pass.ofBrief === null)
        throw new RunKindError(id, 'brief', 'Its passes are gather, plan and judge: name one of them.');
      return showBriefPass(context, brief, pass.ofBrief, { json });
    }
    if (pass?.ofReport === null)
      throw new RunKindError(id, 'report', 'Its passes are 1, 2 and 3, and 0 for the sources gathered.');
    if (pass !== undefined) return showPass(context, run, pass.ofReport, { json });
    const stored = await run.report();
    if (stored === null) {
      const { status, pass } = await run.progress();
      const soFar =
        pass.number > 1 ? ` What passes have left: ${COMMAND} show --pass 1 ${quoteRunId(id)}` : '';
      throw new RunWithoutReportError(id, status, soFar);
    }
    if (options.claims === true) showClaims(context, stored.report, { json });
    else if (json) context.terminal.printJson(stored.report);
    else context.terminal.print(stripUnsafe(stored.markdown).trimEnd());
    return ExitCode.ok;
  });
}

function showClaims({ terminal }: CommandContext, report: Report, { json }: { json: boolean }): void {
  const listing = listClaims(report);
  if (json) terminal.printJson(listing);
  else
    claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(terminal.print);
}

async function showPass(
  { terminal }: CommandContext,
  run: RunHandle,
  pass: PassWithResult,
  options: { json: boolean },
): Promise<ExitCode> {
  const result = await run.passResult(pass);
  if (result === null) throw new UsageError([missingPassReason(await run.progress(), pass)]);
  // `passResult` returns the result of this pass.
  const left = { pass, result } as PassResult;
  const surroundings = { catalogue: await run.passResult('gather'), outline: await run.outline() };
  if (options.json) terminal.printJson(passDocument(run.runId, left, surroundings));
  else terminal.print(passMarkdown(left, surroundings).trimEnd());
  return ExitCode.ok;
}

function missingPassReason(progress: RunProgress, pass: PassWithResult): string {
  const { runId, status, section } = progress;
  const number = PASS_NAMES.indexOf(pass);
  const wanted = number === 0 ? 'Gathering' : `Pass ${number}`;
  const at = safeLine(passLine(progress.pass)).replace(/…$/, '');
  const sections = section === null ? '' : `, ${section.index} of ${section.of} sections done`;
  if (CLOSED_STATUSES.has(status))
    return `Run ${runId} is ${status}: it ended at “${at}”${sections}, and ${wanted.toLowerCase()} left nothing.`;
  return (
    `${wanted} of run ${runId} is not done yet. The run is ${status}, and at “${at}”${sections} (pass ${progress.pass.number} of ${LAST_PASS}). ` +
    `Follow it with: ${COMMAND} watch ${quoteRunId(runId)}`
  );
}

async function showBrief(
  { terminal }: CommandContext,
  run: BriefHandle,
  { json, claims }: { json: boolean; claims: boolean },
): Promise<ExitCode> {
  const brief = await run.result();
  if (brief === null) {
    const { status, pass } = await run.progress({ fromRecords: true });
    const soFar =
      pass.number === 0
        ? ''
        : ` What passes have left: ${COMMAND} show --pass gather ${quoteRunId(run.runId)}`;
    throw new RunWithoutReportError(run.runId, status, soFar, 'brief');
  }
  if (claims) {
    const listing = listBriefClaims(brief);
    if (json) terminal.printJson(listing);
    else
      claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(
        terminal.print,
      );
  } else if (json) terminal.printJson(brief);
  else terminal.print(stripUnsafe(brief.markdown).trimEnd());
  return ExitCode.ok;
}

async function showBriefPass(
  { terminal }: CommandContext,
  run: BriefHandle,
  pass: BriefPassWithResult,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const result = await run.passResult(pass);
  if (result === null) {
    const { status } = await run.progress({ fromRecords: true });
    const what = CLOSED_STATUSES.has(status)
      ? `it ended before “${pass}” had left anything`
      : `“${pass}” has left nothing yet. Follow it with: ${COMMAND} watch ${quoteRunId(run.runId)}`;
    throw new UsageError([
      `Run ${run.runId} is ${status}: ${what}${pass === 'judge' ? ' (or it was not to be judged)' : ''}`,
    ]);
  }
  const left = { pass, result } as BriefPassResult;
  if (json) terminal.printJson({ id: run.runId, ...left });
  else terminal.print(briefPassMarkdown(left).trimEnd());
  return ExitCode.ok;
}

function listBriefClaims({ id, parts, claims, setAside, citations, audit }: Brief): ClaimsListing {
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  const sectionOf = (partId: string): ListedClaim['section'] => ({
    id: partId,
    title: titles.get(partId) ?? partId,
  });
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const standing = claims.map((claim) =>
    toListedClaim(claim, {
      section: sectionOf(claim.partId),
      evidence: claim.evidence.map(({ subtopicId: _subtopic, ...place }) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? '',
      })),
      setAside: null,
    }),
  );
  const aside = setAside.map((claim) => {
    const { evidence, betterSourceId: sourceId } = claim;
    return toListedClaim(claim, {
      section: sectionOf(claim.partId),
      evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
      ...(sourceId === undefined ? {} : { better: { n: numberOf.get(sourceId) ?? null, sourceId } }),
      setAside: claim.action,
    });
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id,
    audit,
    claims: VERDICTS_WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
