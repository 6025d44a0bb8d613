import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { z } from 'zod';
import { BriefMaterial } from '../contracts/brief';
import type { RunEvent } from '../contracts/event';
import type { Report, ReportDiff } from '../contracts/report';
import { TextsShown } from '../contracts/run-settings';
import { runSnapshot } from '../contracts/run-status';
import type { ArtifactRef } from '../contracts/source';
import { AnswerStart } from '../contracts/start';
import type { ClaimEvidence } from '../contracts/verified-report';
import { citedIds } from '../lib/citation-marks';
import { formatValue } from '../lib/json';
import { numberCitations, renderCitations, sectionTexts } from '../report/citations';
import { diffReports } from '../report/diff/diff-reports';
import {
  type DocumentEvidence,
  type DocumentTree,
  type UnfinishedDocument,
  type UnfinishedSection,
  UnprintableError,
} from '../report/document/document';
import { citedSource } from '../report/document/document-builder';
import {
  EXPORT_FORMAT_NAMES,
  EXPORT_FORMATS,
  type ExportFormatName,
} from '../report/document/export-formats';
import { reportTexts, SUMMARY_ID } from '../report/report-texts';
import {
  InvalidRequestError,
  RunContentGoneError,
  RunKindError,
  RunWithoutReportError,
  UnknownClaimError,
} from './client-errors';
import {
  readArtifact,
  readCompletion,
  readPassResult,
  readResultOfKind,
  type StoredVersion,
} from './pass-results';
import { createRunHandle, type RunHandle, waitUntilClosed } from './run-handle';
import { type DescribedRun, describeRun, type StartRecords } from './run-records';
import { readStoredSources } from './source-input';

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
  const left = await runDocument(records, run, shown);
  if (left === null) throw missingResultError(run);
  const { tree, result, markdown } = left;
  const { ending, mediaType, render } = EXPORT_FORMATS[name];
  const remarks: string[] = [];
  const means = { browsers: records.browsers ?? [], remark: (text: string) => void remarks.push(text) };
  const content = await render(tree, { result, markdown }, means).catch((error: unknown) => {
    throw error instanceof UnprintableError ? new InvalidRequestError([error.message]) : error;
  });
  return { name: `${kind}.${ending}`, mediaType, content, remarks };
}

type Passage = ClaimEvidence['passages'][number];

export async function claimEvidence(
  records: StartRecords & { texts?: TextsShown },
  runId: string,
  claimId: string,
  { texts: shown = records.texts ?? 'open' }: { texts?: TextsShown } = {},
): Promise<ClaimEvidence> {
  validateTextsShown(shown);
  const run = await describeRun(records, runId);
  const left = await runDocument(records, run, shown);
  if (left === null) throw missingResultError(run);
  const found = findTextClaim(left.tree, claimId) ?? findRejectedClaim(left, claimId);
  if (found === null) {
    const { claims, setAside: aside } = left.tree;
    throw new UnknownClaimError(
      runId,
      claimId,
      [...claims, ...aside].map(({ id }) => id),
    );
  }
  return { runId, kind: run.kind, ...found };
}

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
  { client, content }: Pick<StartRecords, 'client' | 'content'>,
  run: DescribedRun,
  ids: readonly string[],
): Promise<Map<string, SourceText>> {
  const wanted = new Set(ids);
  const kept = (await listStoredSources(client, content, run)).filter(({ id }) => wanted.has(id));
  const texts = new Map<string, SourceText>();
  for (const { id, contentRef, license } of kept) {
    const text = contentRef === null ? null : await content.retrieve(contentRef);
    texts.set(id, { text, licence: license ?? null });
  }
  return texts;
}

interface StoredSource {
  id: string;
  contentRef: ArtifactRef | null;
  license?: string | undefined;
}

async function listStoredSources(
  client: StartRecords['client'],
  content: StartRecords['content'],
  run: DescribedRun,
): Promise<readonly StoredSource[]> {
  const { passRefs } = run.memo;
  switch (run.kind) {
    case 'report':
      return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
    case 'brief':
      return (await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [];
    case 'answer': {
      const input = await readRunInput(client, run, AnswerStart);
      return input?.manifestRef === undefined
        ? []
        : ((await readStoredSources(content, input.manifestRef)) ?? []);
    }
  }
}

export async function unfinishedRun(records: StartRecords, run: DescribedRun): Promise<UnfinishedDocument> {
  const { runId, memo } = run;
  const progress = await createRunHandle(records, runId).progress();
  const failure =
    progress.status === 'failed' ? ((await waitUntilClosed(records.client, runId)).message ?? null) : null;
  const events = await records.events.read(runId);
  const sections = unfinishedSections(events);
  const known = new Map((await listCitableSources(records, run)).map((source) => [source.id, source]));
  const texts = sections.flatMap(({ markdown }) => markdown ?? []);
  const numbers = numberCitations(texts, known);
  const cited = texts.flatMap((text) => citedIds(text));
  return {
    snapshot: runSnapshot(progress, failure),
    question: memo.question,
    sections: sections.map((section) =>
      section.markdown === null
        ? section
        : { ...section, markdown: renderCitations(section.markdown, numbers) },
    ),
    sources: [...numbers].flatMap(([id, n]) => {
      const source = known.get(id);
      const timesCited = cited.filter((other) => other === id).length;
      return source === undefined ? [] : [citedSource({ ...source, n, sourceId: id }, timesCited, true)];
    }),
  };
}

/** The sections of the latest outline in order, then the summary if it has a text. Empty for an answer. */
function unfinishedSections(events: readonly RunEvent[]): UnfinishedSection[] {
  const texts = sectionTexts(events);
  const outline = events.findLast((event) => event.type === 'outline-generated')?.payload.sections ?? [];
  const read = new Set(
    events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
  );
  const all =
    texts.has(SUMMARY_ID) && outline.every(({ id }) => id !== SUMMARY_ID)
      ? [...outline, { id: SUMMARY_ID, title: reportTexts.headings.summary }]
      : outline;
  return all.map(({ id, title }) => {
    const told = texts.get(id);
    const state = told === undefined ? (read.has(id) ? 'read' : 'to come') : 'being written';
    if (told?.isWritten !== true || told.start > 0) return { id, title, state, markdown: null };
    return { id, title, state: 'written', markdown: told.text };
  });
}

interface CitableSource extends Omit<Parameters<typeof citedSource>[0], 'n' | 'sourceId'> {
  id: string;
}

async function listCitableSources(
  { content }: Pick<StartRecords, 'content'>,
  { kind, memo: { passRefs } }: DescribedRun,
): Promise<readonly CitableSource[]> {
  if (kind === 'report') return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
  return kind === 'brief'
    ? ((await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [])
    : [];
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

async function requireReport(run: RunHandle): Promise<void> {
  const kind = await run.kind();
  if (kind !== 'report') throw new RunKindError(run.runId, kind, 'Only reports can be compared.');
}

async function requireStoredReport(run: RunHandle, stored: { report: Report } | null): Promise<Report> {
  if (stored !== null) return stored.report;
  const { status } = await run.progress();
  throw new RunWithoutReportError(run.runId, status);
}

/** The input of the run's workflow; null if it does not match the schema. */
export async function readRunInput<Input>(
  client: Client,
  { runId, historyId }: { runId: string; historyId: string },
  schema: z.ZodType<Input>,
): Promise<Input | null> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: runId, runId: historyId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const [input] = await decodeArrayFromPayloads(
    client.options.loadedDataConverter,
    started?.input?.payloads ?? null,
  );
  return schema.safeParse(input).data ?? null;
}
