import type { Report } from '../../../contracts/report/report';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { NO_USAGE } from '../../../core/budget/usage';
import { assembleReport as assemble } from '../../../core/report/assemble-report';
import { judgedReport } from '../../../core/report/judged-report';
import type { ReportParts } from '../../../core/report/report-parts';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { reportProvenance } from './assemble-report';
import { readWrittenParts, type WrittenParts } from './written-parts';

export interface AssembleVersionInput extends WrittenParts {
  /** From 1. */
  version: number;
  shortfalls: string[];
  asOf: string;
}

export interface StoredVersion {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

/**
 * A version of the report as it would stand, stored without ending the run. What tells of the run and not of the text is left
 * out (its id, what it has taken, where it ran), so that the same version of another run has the same name; who shows a version
 * puts it in.
 */
export async function assembleVersion(
  ports: ActivityPorts,
  input: AssembleVersionInput,
): Promise<StoredVersion> {
  const { run, version, shortfalls } = input;
  const { content } = ports;
  const parts = await readWrittenParts(ports, input);
  const provenance = await reportProvenance(ports, input, { runtime: NOWHERE, isJudged: false });
  const whole = {
    id: `version-${version}`,
    status: 'completed' as const,
    endedEarly: null,
    shortfalls,
    judge: null,
    usage: { ...NO_USAGE, byPass: {} },
    timings: { total: 0, byPass: {} },
    provenance,
    ...parts,
  };
  const assembled = assemble(whole);
  const { report, markdown } = assembled;
  // A judge reads the same text whichever style its reader asked for, so that the style moves no score.
  const judged = whole.synthesis.citationStyle === 'numbered' ? assembled : assemble(numbered(whole));
  const [judgedRef, reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, run.runId, judgedReport(whole, judged)),
    storeArtifact(content, run.runId, report),
    content.store(run.runId, markdown),
  ]);
  return { judgedRef, reportRef, markdownRef };
}

function numbered(parts: ReportParts): ReportParts {
  return { ...parts, synthesis: { ...parts.synthesis, citationStyle: 'numbered' } };
}

const NOWHERE: Report['provenance']['runtime'] = { colligate: '', node: '' };
