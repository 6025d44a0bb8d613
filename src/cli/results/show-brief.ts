import type { BriefHandle } from '../../client/brief/brief-request';
import type {
  BriefPassResult,
  BriefPassWithResult,
} from '../../client/brief/pass-results/brief-pass-results';
import { briefPassMarkdown } from '../../client/brief/pass-results/brief-pass-markdown';
import { RunWithoutReportError } from '../../client/run-errors';
import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { stripUnsafe } from '../../core/text/untrusted-text';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { UsageError } from '../failures/usage-error';
import { claimsText } from './claims-text';
import { runArgument } from './run-name';
import type { Brief } from '../../contracts/brief/brief';
import { listedClaim, type ClaimsListing, type ListedClaim } from './claims-listing';
import { WORST_FIRST } from './worst-first';

export async function showBrief(
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
        : ` What passes have left: ${COMMAND} show --pass gather ${runArgument(run.runId)}`;
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

export async function showBriefPass(
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
      : `“${pass}” has left nothing yet. Follow it with: ${COMMAND} watch ${runArgument(run.runId)}`;
    throw new UsageError([
      `Run ${run.runId} is ${status}: ${what}${pass === 'judge' ? ' (or it was not to be judged)' : ''}`,
    ]);
  }
  // `passResult` gives what the pass of this very name left.
  const left = { pass, result } as BriefPassResult;
  if (json) terminal.printJson({ id: run.runId, ...left });
  else terminal.print(briefPassMarkdown(left).trimEnd());
  return ExitCode.ok;
}

/** All claims of a brief, the worst first, those that do not stand behind those of the same verdict that do. */
function listBriefClaims({ id, parts, claims, setAside, citations, audit }: Brief): ClaimsListing {
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  const sectionOf = (partId: string): ListedClaim['section'] => ({
    id: partId,
    title: titles.get(partId) ?? partId,
  });
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const standing = claims.map((claim) =>
    listedClaim(claim, {
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
    return listedClaim(claim, {
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
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
