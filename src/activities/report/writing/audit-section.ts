import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionDraft } from '../../../contracts/report/draft';
import { eventKey } from '../../../core/run/event-key';
import { betterDraft, setAsideIn, sourcesIn } from '../../../core/settled-text/better-draft';
import { critiqueOfClaims } from '../../../core/settled-text/critique-of-claims';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { audit } from '../../../steps/audit/audit';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf, type Spent } from '../../shared/run-step';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { auditDraft } from '../../shared/texts/audit-draft';
import { readTextMaterial } from './text-material';
import { openSectionStream } from '../../shared/section-stream';
import { SECTION_WRITER } from './write-section';

export interface AuditSectionInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
  draftRef: ArtifactRef;
  /** Which text of the section it is: 0 for the first. */
  revision: number;
  /** An earlier text that was audited; it stands where this one is no better. */
  insteadRef: ArtifactRef | null;
  /** A judge asked for this text: it stands as well where it is neither better nor worse, and the judge says which is. */
  isAskedFor?: boolean;
}

export interface AuditedSection extends Spent {
  draftRef: ArtifactRef;
  isBetter: boolean;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
  /** How many different sources the better text cites, and how many its findings have. */
  cited: number;
  citable: number;
}

/**
 * Pass 4 for one section that was written: a verdict for each of its claims, and one critique of all that is wrong. The text in
 * which only what is supported stands is streamed as a newer generation where it differs.
 */
export async function auditSection(
  ports: ActivityPorts,
  {
    run,
    catalogueRef,
    validatedRef,
    sectionId,
    draftRef,
    revision,
    insteadRef,
    isAskedFor,
  }: AuditSectionInput,
  signal: AbortSignal,
): Promise<AuditedSection> {
  const { content, events } = ports;
  const draft = await readShared(content, draftRef, SectionDraft);
  const instead = await readIfAny(content, insteadRef, SectionDraft);
  const material = await readTextMaterial(ports, { catalogueRef, validatedRef }, sectionId);
  const place = { pass: 4, section: sectionId, revision };
  const sources = new Map(material.sources.map((source) => [source.sourceId, source]));
  const { settled, verdicts, logicalGaps, uncited, usage, warnings } = await auditDraft(ports, run, draft, {
    material,
    wording: sentenceWording(material.findings, sources),
    unsupportedClaims: run.synthesis.unsupportedClaims,
    at: { place, signal },
  });
  const critique = critiqueOfClaims(settled.checked?.setAside ?? [], {
    logicalGaps,
    uncited: [...(settled.checked?.uncited ?? []), ...uncited],
  });
  const { needsRetry } = critique;
  const better = instead === null ? settled : betterDraft(instead, settled, { isAskedFor });
  const stream = await openSectionStream(events, run.runId, sectionId, SECTION_WRITER);
  await stream.finish(better.markdown);
  await events.appendOnce(
    run.runId,
    eventKey({ ...place, ...roundOf(run), step: audit.name, type: 'audit' }),
    {
      type: 'audit',
      payload: {
        section: sectionId,
        revision,
        audit: countVerdicts(verdicts),
        needsRetry,
        setAside: setAsideIn(settled),
      },
    },
  );
  return {
    draftRef: await storeArtifact(content, run.runId, better),
    isBetter: better === settled,
    critiqueRef: await storeArtifact(content, run.runId, critique),
    needsRetry,
    cited: sourcesIn(better),
    citable: new Set(material.findings.flatMap(({ citations }) => citations)).size,
    usage,
    warnings,
  };
}
