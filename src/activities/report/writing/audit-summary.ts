import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft } from '../../../contracts/report/draft';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { settleText } from '../../../core/settled-text/settle-text';
import { audit } from '../../../steps/audit/audit';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf } from '../../shared/round-of';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { openCatalogue } from '../gather/catalogue';
import { auditText } from '../../shared/texts/audit-text';
import { citableSources } from './citable-sources';
import { decidedClaims } from '../../shared/texts/decided-claims';

export interface AuditSummaryInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  frameRef: ArtifactRef;
  /** The sections as they stand; absent in histories of workers from before the audit. */
  drafts?: { sectionId: string; draftRef: ArtifactRef }[];
  /** Which text of the summary it is, where it was written anew. */
  revision?: number;
}

export interface AuditedSummary extends Spent {
  frameRef: ArtifactRef;
}

/** Pass 4, last: the summary's bullets against what the sections tell, as a section's sentences are against their findings. */
export async function auditSummary(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, frameRef, drafts = [], revision = 0 }: AuditSummaryInput,
  signal: AbortSignal,
): Promise<AuditedSummary> {
  const { content, events } = ports;
  const frame = await readShared(content, frameRef, ReportFrame);
  const catalogue = await openCatalogue(content, catalogueRef);
  const { sections, conflicts } = await readShared(content, validatedRef, ValidatedFindings);
  const written = await Promise.all(
    drafts.map(({ draftRef }) => readShared(content, draftRef, SectionDraft)),
  );
  const told = new Set(written.flatMap(({ claims }) => claims.flatMap(({ findingIds }) => findingIds)));
  const findings = sections
    .flatMap((section) => section.findings)
    .filter(({ id }) => drafts.length === 0 || told.has(id));
  const sources = await citableSources(catalogue, findings, conflicts);
  const text = frameText(frame);
  const { audited, usage, warnings } = await auditText(
    ports,
    run,
    text,
    { findings, conflicts, sources, decided: written.flatMap(({ checked }) => decidedClaims(checked ?? { sentences: [] })) },
    { place: { pass: 4, ...(revision === 0 ? {} : { revision }) }, signal },
  );
  const wording = sentenceWording(findings, new Map(sources.map((source) => [source.sourceId, source])));
  const settled = settleText(text, audited, wording, run.synthesis.unsupportedClaims);
  const verdicts = text.checked.sentences.flatMap(({ isClaim }, at) => {
    const found = audited.get(at);
    return isClaim && found !== undefined ? [found.verdict] : [];
  });
  await events.appendOnce(
    run.runId,
    eventKey({ pass: 4, ...roundOf(run), step: audit.name, section: 'summary', revision, type: 'audit' }),
    {
      type: 'audit',
      payload: {
        section: 'summary',
        revision,
        audit: countVerdicts(verdicts),
        needsRetry: false,
        setAside: settled.checked.setAside?.length ?? 0,
      },
    },
  );
  return { frameRef: await storeArtifact(content, run.runId, frameOf(frame, settled)), usage, warnings };
}
