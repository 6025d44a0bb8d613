import { z } from 'zod';
import { Answer } from '../contracts/answer';
import { Brief } from '../contracts/brief';
import type { RunEvent } from '../contracts/event';
import { SectionFindings, ValidatedFindings } from '../contracts/finding';
import { type JudgedVersion, ReportJudge } from '../contracts/judgement';
import { Outline } from '../contracts/outline';
import { Report } from '../contracts/report';
import type { RunKind } from '../contracts/run';
import { type ArtifactRef, type CataloguedSource, CataloguePart, SourceCatalogue } from '../contracts/source';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { PassRefs } from '../workflows/messages';
import { RunContentGoneError, UnknownVersionError } from './client-errors';

/** Null if the run has no reference of the pass, or its content is gone. */
export function readPassResult<Pass extends PassWithResult>(
  content: ContentStore,
  refs: PassRefs,
  pass: Pass,
): Promise<PassResults[Pass] | null> {
  return PASS_READERS[pass](content, refs);
}

/** Null without a reference, or if nothing is stored under it. */
export async function readArtifact<Value>(
  content: ContentStore,
  ref: ArtifactRef | undefined,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  const text = ref === undefined ? null : await content.retrieve(ref);
  return text === null ? null : schema.parse(JSON.parse(text));
}

type PassReaders = {
  [Pass in PassWithResult]: (content: ContentStore, refs: PassRefs) => Promise<PassResults[Pass] | null>;
};

const PASS_READERS: PassReaders = {
  gather: (content, refs) => readCatalogue(content, refs.gather),
  overview: (content, refs) => readArtifact(content, refs.overview, Outline),
  async 'deep-dive'(content, refs) {
    const read = (refs['deep-dive'] ?? []).map((ref) => readArtifact(content, ref, SectionFindings));
    const sections = (await Promise.all(read)).filter((section) => section !== null);
    // A section is missing: this is not the run's store, or the run is being deleted.
    return sections.length === 0 || sections.length < read.length ? null : sections;
  },
  'cross-reference': (content, refs) => readArtifact(content, refs['cross-reference'], ValidatedFindings),
};

/** Reads the parts of a large catalogue too. Null if one of them is gone. */
async function readCatalogue(
  content: ContentStore,
  ref: ArtifactRef | undefined,
): Promise<SourceCatalogue | null> {
  const catalogue = await readArtifact(content, ref, SourceCatalogue);
  if (catalogue?.parts === undefined) return catalogue;
  const sources: CataloguedSource[] = [];
  for (const part of catalogue.parts) {
    const read = await readArtifact(content, part.ref, CataloguePart);
    if (read === null) return null;
    sources.push(...read.sources);
  }
  return { sources, counts: catalogue.counts, merged: catalogue.merged };
}

export interface PassResults {
  gather: SourceCatalogue;
  overview: Outline;
  /** In outline order. If the run ended or paused during the pass: the finished sections. */
  'deep-dive': SectionFindings[];
  'cross-reference': ValidatedFindings;
}

export type PassWithResult = keyof PassResults;

export type PassResult = {
  [Pass in PassWithResult]: { pass: Pass; result: PassResults[Pass] };
}[PassWithResult];

export interface PassContext {
  catalogue: SourceCatalogue | null;
  outline: Outline | null;
}

export function missingSections(left: PassResult, { outline }: PassContext): Outline['sections'] {
  if (left.pass !== 'deep-dive') return [];
  const there = new Set(left.result.map(({ sectionId }) => sectionId));
  return (outline?.sections ?? []).filter(({ id }) => !there.has(id));
}

export interface StoredVersion {
  version: JudgedVersion;
  report: Report | Brief | Answer;
  markdown: string;
}

const JudgedResult = z.object({ judge: ReportJudge.nullable().optional() });

/**
 * Reads version `n` of an ended run. Stored versions of reports and answers lack the data of their run, which is added here.
 * Rejects with `UnknownVersionError`.
 */
export async function readVersion(
  content: ContentStore,
  ended: { runId: string; kind: RunKind; reportRef: ArtifactRef },
  n: number,
): Promise<StoredVersion> {
  const { runId, kind, reportRef } = ended;
  const versions = await readVersions(content, { runId, reportRef });
  const version = versions.find((one) => one.n === n);
  const numbers = versions.map((one) => one.n);
  if (version === undefined) throw new UnknownVersionError(runId, n, numbers);
  const report = await readResultOfKind(content, kind, version.reportRef);
  const markdown = await content.retrieve(version.markdownRef);
  if (report === null || markdown === null) throw new UnknownVersionError(runId, n, numbers);
  return { version, report: withRunData(report, await readResultOfKind(content, kind, reportRef)), markdown };
}

/** Oldest first; empty if the text was not judged. */
export async function readVersions(
  content: ContentStore,
  { runId, reportRef }: { runId: string; reportRef: ArtifactRef },
): Promise<JudgedVersion[]> {
  const judged = await readArtifact(content, reportRef, JudgedResult);
  if (judged === null) throw new RunContentGoneError(runId);
  return judged.judge?.versions ?? [];
}

/** Null if the content is gone. */
export function readResultOfKind(
  content: ContentStore,
  kind: RunKind,
  ref: ArtifactRef,
): Promise<StoredVersion['report'] | null> {
  switch (kind) {
    case 'report':
      return readArtifact(content, ref, Report);
    case 'brief':
      return readArtifact(content, ref, Brief);
    case 'answer':
      return readArtifact(content, ref, Answer);
  }
}

function withRunData(
  version: StoredVersion['report'],
  whole: StoredVersion['report'] | null,
): StoredVersion['report'] {
  if (whole === null) return version;
  if ('requestId' in whole && 'requestId' in version) {
    const { runtime } = whole.provenance;
    const { requestId, latencyMs, tokensUsed, trace, usage } = whole;
    const diagnostics = { ...version.diagnostics, metrics: whole.diagnostics.metrics };
    return {
      ...version,
      requestId,
      latencyMs,
      tokensUsed,
      trace,
      usage,
      diagnostics,
      provenance: { ...version.provenance, runtime },
    };
  }
  if (!isReport(version) || !isReport(whole)) return version;
  const { id, usage, timings, provenance } = whole;
  const { runtime } = provenance;
  return { ...version, id, usage, timings, provenance: { ...version.provenance, runtime } };
}

function isReport(stored: StoredVersion['report']): stored is Report {
  return 'kind' in stored && stored.kind === 'report';
}

/** Reads the run's log. Null if there is no result (yet). */
export async function readCompletion(
  events: EventLog,
  runId: string,
): Promise<Extract<RunEvent, { type: 'run-completed' }>['payload'] | null> {
  for (const event of await events.read(runId)) if (event.type === 'run-completed') return event.payload;
  return null;
}

/** Null if there is no result (yet), or its content is gone. */
export async function readStoredResult<Result>(
  { events, content }: { events: EventLog; content: ContentStore },
  runId: string,
  schema: z.ZodType<Result>,
): Promise<Result | null> {
  const completion = await readCompletion(events, runId);
  return completion === null ? null : readArtifact(content, completion.reportRef, schema);
}
