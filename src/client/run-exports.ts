import type { Report, ReportDiff } from '../contracts/report';
import { TextsShown } from '../contracts/run-settings';
import type { ClaimEvidence } from '../contracts/verified-report';
import { formatValue } from '../lib/json';
import { diffReports } from '../report/diff/diff-reports';
import { type DocumentEvidence, type DocumentTree, UnprintableError } from '../report/document/document';
import {
  EXPORT_FORMAT_NAMES,
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../report/document/export-formats';
import {
  InvalidRequestError,
  RunContentGoneError,
  RunKindError,
  RunWithoutReportError,
  UnknownClaimError,
} from './client-errors';
import { readCompletion, readResultOfKind, type StoredVersion } from './pass-results';
import type { RunHandle } from './run-handle';
import { type DescribedRun, describeRun, type StartRecords } from './run-records';
import { listRunSources } from './run-sources';

export interface ExportOptions {
  /** Sources whose text is shown around a quote. Default: the client's `texts`. */
  texts?: TextsShown;
}

export interface ExportedRun {
  /** File name, such as `report.csv`. */
  name: string;
  mediaType: string;
  content: string | Uint8Array;
  /** Notes for the user, such as the program that made the file and missing parts. */
  remarks: string[];
}

export async function exportRun(
  records: StartRecords & { browsers?: readonly string[]; texts?: TextsShown },
  runId: string,
  name: ExportFormatName,
  { texts: shown = records.texts ?? 'open' }: ExportOptions = {},
): Promise<ExportedRun> {
  if (!EXPORT_FORMAT_NAMES.includes(name))
    throw new InvalidRequestError([
      `format is ${formatValue(name)}; it has to be one of ${EXPORT_FORMAT_NAMES.join(', ')}`,
    ]);
  validateTextsShown(shown);
  const run = await describeRun(records, runId);
  const { kind } = run;
  const document = await runDocument(records, run, shown);
  if (document === null) throw missingResultError(run);
  const { tree, result, markdown } = document;
  const { ending, mediaType, render } = EXPORT_FORMATS[name];
  const remarks: string[] = [];
  const means = { browsers: records.browsers ?? [], remark: (text: string) => void remarks.push(text) };
  const content = await render(tree, { result, markdown }, means).catch((error: unknown) => {
    throw error instanceof UnprintableError ? new InvalidRequestError([error.message]) : error;
  });
  return { name: `${kind}.${ending}`, mediaType, content, remarks };
}

export async function claimEvidence(
  records: StartRecords & { texts?: TextsShown },
  runId: string,
  claimId: string,
  { texts: shown = records.texts ?? 'open' }: { texts?: TextsShown } = {},
): Promise<ClaimEvidence> {
  validateTextsShown(shown);
  const run = await describeRun(records, runId);
  const document = await runDocument(records, run, shown);
  if (document === null) throw missingResultError(run);
  const found = findTextClaim(document.tree, claimId) ?? findRejectedClaim(document, claimId);
  if (found === null) {
    const { claims, setAside: aside } = document.tree;
    throw new UnknownClaimError(
      runId,
      claimId,
      [...claims, ...aside].map(({ id }) => id),
    );
  }
  return { runId, kind: run.kind, ...found };
}

/** Looks up both runs before it rejects for a missing report. Sources are compared only if both catalogues are stored. */
export async function diffRuns(before: RunHandle, after: RunHandle): Promise<ReportDiff> {
  for (const run of [before, after]) await requireReport(run);
  const stored = await Promise.all([before.report(), after.report()]);
  const [earlier, later] = stored;
  const reports = [
    await requireStoredReport(before, earlier),
    await requireStoredReport(after, later),
  ] as const;
  const read = await Promise.all([before.passResult('gather'), after.passResult('gather')]);
  const [sourcesBefore, sourcesAfter] = read.map((catalogue) => catalogue?.sources);
  const isKnown = sourcesBefore !== undefined && sourcesAfter !== undefined;
  return diffReports(...reports, isKnown ? { before: sourcesBefore, after: sourcesAfter } : null);
}

type Passage = ClaimEvidence['passages'][number];
type ClaimMatch = Pick<ClaimEvidence, 'claim' | 'passages'>;

function findTextClaim(tree: DocumentTree, claimId: string): ClaimMatch | null {
  const claim = tree.claims.find(({ id }) => id === claimId);
  if (claim === undefined) return null;
  const { id, text, verdict, reason, confidence, sources, partId } = claim;
  const part = findPart(tree, partId);
  return {
    claim: { id, text, part, stands: true, verdict, reason, confidence, citations: sources },
    passages: claim.evidence.flatMap((evidence) => {
      const source = tree.sources.find(({ n }) => n === evidence.source);
      return source === undefined ? [] : [toPassage(source, evidence)];
    }),
  };
}

/** `tree.setAside` and `result.setAside` are in the same order. */
function findRejectedClaim({ tree, result }: RunDocument, claimId: string): ClaimMatch | null {
  const at = tree.setAside.findIndex(({ id }) => id === claimId);
  const [told, kept] = [tree.setAside[at], result.setAside[at]];
  if (told === undefined || kept === undefined) return null;
  const { id, text, reason, partId, sources: citations } = told;
  const { verdict, evidence } = kept;
  const part = findPart(tree, partId);
  const claim = { id, text, part, stands: false, verdict, reason, confidence: null, citations };
  if (evidence === null) return { claim, passages: [] };
  const { sourceId, quote, start, end } = evidence;
  const listed = tree.sources.find((source) => source.sourceId === sourceId);
  const source = listed ?? { n: null, sourceId, title: '', author: null, publishedAt: null, url: null };
  const { page = null, place } = evidence;
  const named = place === undefined ? {} : { place };
  return {
    claim,
    passages: [toPassage(source, { quote, start, end, page, ...named, before: '', after: '' })],
  };
}

function findPart({ parts }: DocumentTree, partId: string | null): ClaimEvidence['claim']['part'] {
  const part = parts.find(({ id }) => id === partId);
  return part === undefined ? null : { id: part.id, title: part.title };
}

function toPassage(
  { n, sourceId, title, author, publishedAt, url }: Passage['source'],
  evidence: Omit<DocumentEvidence, 'source'>,
): Passage {
  const { before, quote, after, start, end, page, place = null, withheld } = evidence;
  return {
    source: { n, sourceId, title, author, publishedAt, url },
    text: `${before}${quote}${after}`,
    quote: { start: before.length, end: before.length + quote.length },
    at: { start, end },
    page,
    place,
    disputed: evidence.isDisputed === true,
    ofSummary: evidence.ofSummary === true,
    withheld: withheld?.by ?? null,
  };
}

interface RunDocument {
  tree: DocumentTree;
  result: StoredVersion['report'];
  markdown: string;
}

/** The result of a run with the texts of its sources as far as `shown` allows; null if there is none (yet). */
async function runDocument(
  records: StartRecords,
  run: DescribedRun,
  shown: TextsShown,
): Promise<RunDocument | null> {
  const { runId, kind } = run;
  const completion = await readCompletion(records.events, runId);
  if (completion === null) return null;
  const result = await readResultOfKind(records.content, kind, completion.reportRef);
  const markdown = await records.content.retrieve(completion.markdownRef);
  if (result === null || markdown === null) throw new RunContentGoneError(runId);
  const cited = result.citations.map(({ sourceId }) => sourceId);
  const texts = await sourceTexts(records, run, cited);
  // Loaded on demand: the document builder is large, and most commands export nothing.
  const { buildDocument } = await import('../report/document/document-builder.js');
  const { withholdTexts } = await import('../report/document/document.js');
  const whole = buildDocument(result, (sourceId) => texts.get(sourceId)?.text ?? null);
  const tree = withholdTexts(whole, shown, (sourceId) => texts.get(sourceId)?.licence ?? null);
  return { tree, result, markdown };
}

function validateTextsShown(shown: TextsShown): void {
  if (!TextsShown.options.includes(shown))
    throw new InvalidRequestError([
      `texts is ${formatValue(shown)}; it has to be one of ${TextsShown.options.join(', ')}`,
    ]);
}

function missingResultError({ runId, kind, memo, isRunning }: DescribedRun): RunWithoutReportError {
  const help = isRunning ? ' Wait until it has ended, or cancel it: it leaves what it has until then.' : '';
  return new RunWithoutReportError(runId, memo.status, help, kind);
}

/** `text` is null if the store does not have it. */
interface SourceText {
  text: string | null;
  licence: string | null;
}

async function sourceTexts(
  records: Pick<StartRecords, 'client' | 'content'>,
  run: DescribedRun,
  ids: readonly string[],
): Promise<Map<string, SourceText>> {
  const wanted = new Set(ids);
  const sources = (await listRunSources(records, run)).filter(({ id }) => wanted.has(id));
  const texts = new Map<string, SourceText>();
  for (const { id, contentRef, license } of sources) {
    const text = contentRef === null ? null : await records.content.retrieve(contentRef);
    texts.set(id, { text, licence: license ?? null });
  }
  return texts;
}

async function requireReport(run: RunHandle): Promise<void> {
  const kind = await run.kind();
  if (kind !== 'report') throw new RunKindError(run.runId, kind, 'Only reports can be compared.');
}

async function requireStoredReport(run: RunHandle, stored: { report: Report } | null): Promise<Report> {
  if (stored !== null) return stored.report;
  const { status } = await run.progress();
  throw new RunWithoutReportError(run.runId, status);
}
