import { z } from 'zod';
import { Answer } from '../contracts/answer/answer';
import { Brief } from '../contracts/brief/brief';
import { ReportJudge, type JudgedVersion } from '../contracts/judge/judgement';
import { Report } from '../contracts/report/report';
import type { RunKind } from '../contracts/kinds';
import type { ArtifactRef } from '../contracts/run/artifact';
import type { ContentStore } from '../stores/content-store';
import { readArtifact } from './pass-results/read-pass-result';
import { RunContentGoneError, UnknownVersionError } from './run-errors';

export interface StoredVersion {
  version: JudgedVersion;
  report: Report | Brief | Answer;
  markdown: string;
}

const Judged = z.object({ judge: ReportJudge.nullable().optional() });

/**
 * A version of what an ended run has stored under `reportRef`. Versions of reports and answers are stored without what tells of
 * their run; that is put in here. Rejects with `UnknownVersionError` where there is none of the number.
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
  const report = await readKind(content, kind, version.reportRef);
  const markdown = await content.retrieve(version.markdownRef);
  if (report === null || markdown === null) throw new UnknownVersionError(runId, n, numbers);
  return { version, report: ofRun(report, await readKind(content, kind, reportRef)), markdown };
}

/** The versions of what an ended run has stored, oldest first; none where it was not judged. */
export async function readVersions(
  content: ContentStore,
  { runId, reportRef }: { runId: string; reportRef: ArtifactRef },
): Promise<JudgedVersion[]> {
  const judged = await readArtifact(content, reportRef, Judged);
  if (judged === null) throw new RunContentGoneError(runId);
  return judged.judge?.versions ?? [];
}

/** What a run of a kind stored under a reference; null where it is gone. */
export function readKind(
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

function ofRun(
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
