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
import { toldValue } from '../lib/json';
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
import { reportTexts, SUMMARY } from '../report/report-texts';
import {
  InvalidRequestError,
  RunContentGoneError,
  RunKindError,
  RunWithoutReportError,
  UnknownClaimError,
} from './client-errors';
import { completionOf, readArtifact, readKind, readPassResult, type StoredVersion } from './pass-results';
import { createRunHandle, type RunHandle, waitUntilClosed } from './run-handle';
import { type DescribedRun, describeRun, type StartRecords } from './run-records';
import { storedSources } from './source-input';

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
      `format is ${toldValue(name)}; it has to be one of ${EXPORT_FORMAT_NAMES.join(', ')}`,
    ]);
  refuseUnlessShown(shown);
  const run = await describeRun(records, runId);
  const { kind } = run;
  const left = await runDocument(records, run, shown);
  if (left === null) throw withoutDocument(run);
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
  refuseUnlessShown(shown);
  const run = await describeRun(records, runId);
  const left = await runDocument(records, run, shown);
  if (left === null) throw withoutDocument(run);
  const found = standing(left.tree, claimId) ?? setAside(left, claimId);
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

type Found = Pick<ClaimEvidence, 'claim' | 'passages'>;

function standing(tree: DocumentTree, claimId: string): Found | null {
  const claim = tree.claims.find(({ id }) => id === claimId);
  if (claim === undefined) return null;
  const { id, text, verdict, reason, confidence, sources, partId } = claim;
  const part = partOf(tree, partId);
  return {
    claim: { id, text, part, stands: true, verdict, reason, confidence, citations: sources },
    passages: claim.evidence.flatMap((evidence) => {
      const source = tree.sources.find(({ n }) => n === evidence.source);
      return source === undefined ? [] : [passageOf(source, evidence)];
    }),
  };
}

/** `tree.setAside` and `result.setAside` are in the same order. */
function setAside({ tree, result }: RunDocument, claimId: string): Found | null {
  const at = tree.setAside.findIndex(({ id }) => id === claimId);
  const [told, kept] = [tree.setAside[at], result.setAside[at]];
  if (told === undefined || kept === undefined) return null;
  const { id, text, reason, partId, sources: citations } = told;
  const { verdict, evidence } = kept;
  const part = partOf(tree, partId);
  const claim = { id, text, part, stands: false, verdict, reason, confidence: null, citations };
  if (evidence === null) return { claim, passages: [] };
  const { sourceId, quote, start, end } = evidence;
  const listed = tree.sources.find((source) => source.sourceId === sourceId);
  const source = listed ?? { n: null, sourceId, title: '', author: null, publishedAt: null, url: null };
  const { page = null, place } = evidence;
  const named = place === undefined ? {} : { place };
  return {
    claim,
    passages: [passageOf(source, { quote, start, end, page, ...named, before: '', after: '' })],
  };
}

function partOf({ parts }: DocumentTree, partId: string | null): ClaimEvidence['claim']['part'] {
  const part = parts.find(({ id }) => id === partId);
  return part === undefined ? null : { id: part.id, title: part.title };
}

function passageOf(
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
  const completion = await completionOf(records.events, runId);
  if (completion === null) return null;
  const result = await readKind(records.content, kind, completion.reportRef);
  const markdown = await records.content.retrieve(completion.markdownRef);
  if (result === null || markdown === null) throw new RunContentGoneError(runId);
  const cited = result.citations.map(({ sourceId }) => sourceId);
  const texts = await sourceTexts(records, run, cited);
  // Loaded on demand: the document builder is large, and most commands export nothing.
  const { documentOf } = await import('../report/document/document-builder.js');
  const { withShownTexts } = await import('../report/document/document.js');
  const whole = documentOf(result, (sourceId) => texts.get(sourceId)?.text ?? null);
  const tree = withShownTexts(whole, shown, (sourceId) => texts.get(sourceId)?.licence ?? null);
  return { tree, result, markdown };
}

function refuseUnlessShown(shown: TextsShown): void {
  if (!TextsShown.options.includes(shown))
    throw new InvalidRequestError([
      `texts is ${toldValue(shown)}; it has to be one of ${TextsShown.options.join(', ')}`,
    ]);
}

function withoutDocument({ runId, kind, memo, isRunning }: DescribedRun): RunWithoutReportError {
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
  const kept = (await keptSources(client, content, run)).filter(({ id }) => wanted.has(id));
  const texts = new Map<string, SourceText>();
  for (const { id, contentRef, license } of kept) {
    const text = contentRef === null ? null : await content.retrieve(contentRef);
    texts.set(id, { text, licence: license ?? null });
  }
  return texts;
}

interface KeptSource {
  id: string;
  contentRef: ArtifactRef | null;
  license?: string | undefined;
}

async function keptSources(
  client: StartRecords['client'],
  content: StartRecords['content'],
  run: DescribedRun,
): Promise<readonly KeptSource[]> {
  const { passRefs } = run.memo;
  switch (run.kind) {
    case 'report':
      return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
    case 'brief':
      return (await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [];
    case 'answer': {
      const input = await readInputOf(client, run, AnswerStart);
      return input?.manifestRef === undefined
        ? []
        : ((await storedSources(content, input.manifestRef)) ?? []);
    }
  }
}

export async function unfinishedRun(records: StartRecords, run: DescribedRun): Promise<UnfinishedDocument> {
  const { runId, memo } = run;
  const progress = await createRunHandle(records, runId).progress();
  const failure =
    progress.status === 'failed' ? ((await waitUntilClosed(records.client, runId)).message ?? null) : null;
  const events = await records.events.read(runId);
  const sections = sectionsOf(events);
  const known = new Map((await knownSources(records, run)).map((source) => [source.id, source]));
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
function sectionsOf(events: readonly RunEvent[]): UnfinishedSection[] {
  const texts = sectionTexts(events);
  const outline = events.findLast((event) => event.type === 'outline-generated')?.payload.sections ?? [];
  const read = new Set(
    events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
  );
  const all =
    texts.has(SUMMARY) && outline.every(({ id }) => id !== SUMMARY)
      ? [...outline, { id: SUMMARY, title: reportTexts.headings.summary }]
      : outline;
  return all.map(({ id, title: planned }) => {
    const title = planned;
    const told = texts.get(id);
    const state = told === undefined ? (read.has(id) ? 'read' : 'to come') : 'being written';
    if (told?.isWritten !== true || told.start > 0) return { id, title, state, markdown: null };
    return { id, title, state: 'written', markdown: told.text };
  });
}

interface KnownSource extends Omit<Parameters<typeof citedSource>[0], 'n' | 'sourceId'> {
  id: string;
}

async function knownSources(
  { content }: Pick<StartRecords, 'content'>,
  { kind, memo: { passRefs } }: DescribedRun,
): Promise<readonly KnownSource[]> {
  if (kind === 'report') return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
  return kind === 'brief'
    ? ((await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [])
    : [];
}

/** Looks up both runs before it rejects for a missing report. Sources are compared only if both catalogues are stored. */
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

/** The input of the run's workflow; null if it does not match the schema. */
export async function readInputOf<Input>(
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
