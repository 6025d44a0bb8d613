import { z } from 'zod';
import { Answer } from '../contracts/answer/answer';
import { Brief } from '../contracts/brief/brief';
import { ReportJudge, type JudgedVersion } from '../contracts/judge/judgement';
import { Report } from '../contracts/report/report';
import type { RunKind } from '../contracts/kinds';
import type { ArtifactRef } from '../contracts/run/artifact';
import type { ContentStore } from '../stores/content-store';
import { readArtifact } from './pass-results/read-pass-result';
import { UnknownVersionError } from './run-errors';

/** A version of a text with how it was judged. */
export interface StoredVersion {
  version: JudgedVersion;
  report: Report | Brief | Answer;
  markdown: string;
}

const Judged = z.object({ judge: ReportJudge.nullable().optional() });

/**
 * A version of what an ended run has stored under `reportRef`. A version of a report is stored without what tells of its run;
 * that is put in here. Rejects with `UnknownVersionError` where there is none of the number.
 */
export async function readVersion(
  content: ContentStore,
  ended: { runId: string; kind: RunKind; reportRef: ArtifactRef },
  n: number,
): Promise<StoredVersion> {
  const { runId, kind, reportRef } = ended;
  const versions = (await readArtifact(content, reportRef, Judged))?.judge?.versions ?? [];
  const version = versions.find((one) => one.n === n);
  const numbers = versions.map((one) => one.n);
  if (version === undefined) throw new UnknownVersionError(runId, n, numbers);
  const report = await readKind(content, kind, version.reportRef);
  const markdown = await content.retrieve(version.markdownRef);
  if (report === null || markdown === null) throw new UnknownVersionError(runId, n, numbers);
  const whole = kind === 'report' ? await readArtifact(content, reportRef, Report) : null;
  return { version, report: whole === null ? report : ofRun(report, whole), markdown };
}

function readKind(
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
  { id, usage, timings, provenance }: Report,
): StoredVersion['report'] {
  if (!('timings' in version) || version.kind !== 'report') return version;
  const { runtime } = provenance;
  return { ...version, id, usage, timings, provenance: { ...version.provenance, runtime } };
}
