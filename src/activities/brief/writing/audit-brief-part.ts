import { BriefMaterial } from '../../../contracts/brief/brief-material';
import { SectionDraft } from '../../../contracts/report/draft';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { setAsideIn } from '../../../core/settled-text/better-draft';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { critiqueOfClaims } from '../../../core/settled-text/critique-of-claims';
import { statementWording } from '../../../core/settled-text/statement-wording';
import { eventKey } from '../../../core/run/event-key';
import { audit } from '../../../steps/audit/audit';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { openSectionStream } from '../../shared/section-stream';
import { auditDraft } from '../../shared/texts/audit-draft';
import type { BriefFacts } from '../brief-facts';
import { allFindings, textMaterial } from './brief-material';
import { PART_WRITER } from './write-brief-part';
import type { Finding } from '../../../contracts/report/finding';
import { citedIds } from '../../../core/text/citation-marks';

export interface AuditBriefPartInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  partId: string;
  draftRef: ArtifactRef;
  /** Of which version of the text the part is, from 1. */
  version: number;
}

export interface AuditedPart extends Spent {
  draftRef: ArtifactRef;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
}

export async function auditBriefPart(
  ports: ActivityPorts,
  { run, materialRef, partId, draftRef, version }: AuditBriefPartInput,
  signal: AbortSignal,
): Promise<AuditedPart> {
  const { content, events } = ports;
  const draft = await readShared(content, draftRef, SectionDraft);
  const brief = await readShared(content, materialRef, BriefMaterial);
  const own = brief.subtopics.find(({ id }) => id === partId)?.findings ?? [];
  const findings = allFindings(brief);
  const told = namedFindings(draft, findings, own);
  const place = { pass: PART_WRITER.pass, section: partId, revision: version - 1 };
  const { settled, verdicts, logicalGaps, uncited, usage, warnings } = await auditDraft(ports, run, draft, {
    material: textMaterial(brief, citedFindings(draft, findings, told)),
    wording: statementWording(told),
    unsupportedClaims: run.brief.unsupportedClaims,
    at: { place, signal },
  });
  const { setAside = [], uncited: unsaid = [] } = settled.checked ?? {};
  const critique = critiqueOfClaims(setAside, { logicalGaps, uncited: [...unsaid, ...uncited] });
  const { needsRetry } = critique;
  const stream = await openSectionStream(events, run.runId, partId, PART_WRITER);
  await stream.finish(settled.markdown);
  await events.appendOnce(run.runId, eventKey({ ...place, step: audit.name, type: 'audit' }), {
    type: 'audit',
    payload: {
      section: partId,
      revision: version - 1,
      audit: countVerdicts(verdicts),
      needsRetry,
      setAside: setAsideIn(settled),
    },
  });
  return {
    draftRef: await storeArtifact(content, run.runId, settled),
    critiqueRef: await storeArtifact(content, run.runId, critique),
    needsRetry,
    usage,
    warnings,
  };
}

/** What a draft says that it rests on, and what its part may tell of; in the order of the summaries. */
function namedFindings(
  { claims, checked }: SectionDraft,
  findings: readonly Finding[],
  own: readonly Finding[],
): Finding[] {
  const named = new Set([
    ...own.map(({ id }) => id),
    ...claims.flatMap(({ findingIds }) => findingIds),
    ...(checked?.sentences ?? []).flatMap(({ findingIds }) => findingIds),
  ]);
  return findings.filter(({ id }) => named.has(id));
}

/** These, and whatever is said on account of a source that the draft cites: a claim may rest on any of it. */
function citedFindings(
  { markdown }: SectionDraft,
  findings: readonly Finding[],
  named: readonly Finding[],
): Finding[] {
  const cited = new Set(citedIds(markdown));
  const ids = new Set(named.map(({ id }) => id));
  return findings.filter(({ id, citations }) => ids.has(id) || citations.some((source) => cited.has(source)));
}
