import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft } from '../../../contracts/report/draft';
import { ValidatedFindings } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import { followUpQuestions } from '../../../core/report/follow-up-questions';
import { betterDraft } from '../../../core/settled-text/better-draft';
import { critiqueOfClaims } from '../../../core/settled-text/critique-of-claims';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { summaryWording } from '../../../core/settled-text/summary-wording';
import { draftOf, settleText } from '../../../core/settled-text/settle-text';
import { audit } from '../../../steps/audit/audit';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf } from '../../shared/round-of';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { openCatalogue } from '../gather/catalogue';
import { auditText } from '../../shared/texts/audit-text';
import { mayBeAsked, questionSentences } from './asked-questions';
import { citableSources } from './citable-sources';
import { decidedClaims } from '../../shared/texts/decided-claims';

export interface AuditSummaryInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  frameRef: ArtifactRef;
  /** The sections as they stand. */
  drafts: { sectionId: string; draftRef: ArtifactRef }[];
  /** Which text of the summary it is, where it was written anew. */
  revision?: number;
  /** An earlier text that was audited; it stands where this one is no better. */
  insteadRef?: ArtifactRef;
}

export interface AuditedSummary extends Spent {
  /** The better text, with its verdicts and without what does not stand. */
  frameRef: ArtifactRef;
  /** What was wrong with the text that was audited here; as `needsRetry` absent in histories of workers of 0.6 and before. */
  critiqueRef?: ArtifactRef;
  needsRetry?: boolean;
}

const UNASKED = {
  code: 'question-left-out',
  message: 'A follow-up question was left out: that the sources say what it takes for granted was not found.',
};

/**
 * Pass 4, last: the summary's bullets against what the sections tell, as a section's sentences are against their findings, and
 * beside them what its questions take for granted.
 */
export async function auditSummary(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, frameRef, drafts, revision = 0, insteadRef }: AuditSummaryInput,
  signal: AbortSignal,
): Promise<AuditedSummary> {
  const { content, events } = ports;
  const frame = await readShared(content, frameRef, ReportFrame);
  const catalogue = await openCatalogue(content, catalogueRef);
  const { sections, conflicts, gaps } = await readShared(content, validatedRef, ValidatedFindings);
  const written = await Promise.all(
    drafts.map(({ draftRef }) => readShared(content, draftRef, SectionDraft)),
  );
  const told = new Set(written.flatMap(({ claims }) => claims.flatMap(({ findingIds }) => findingIds)));
  const findings = sections
    .flatMap((section) => section.findings)
    .filter(({ id }) => drafts.length === 0 || told.has(id));
  const sources = await citableSources(catalogue, findings, conflicts);
  const text = frameText(frame);
  const { sentences } = text.checked;
  const asked = questionSentences(frame.followUpQuestions, findings);
  const { audited, logicalGaps, usage, warnings } = await auditText(
    ports,
    run,
    { ...text, checked: { ...text.checked, sentences: [...sentences, ...asked] } },
    {
      findings,
      conflicts,
      sources,
      decided: written
        .flatMap(({ checked }) => decidedClaims(checked ?? { sentences: [] }))
        .map((claim) => ({ ...claim, isElsewhere: true as const })),
    },
    { place: { pass: 4, ...(revision === 0 ? {} : { revision }) }, signal },
  );
  const wording = summaryWording(findings, new Map(sources.map((source) => [source.sourceId, source])));
  const settled = settleText(text, audited, wording, run.synthesis.unsupportedClaims);
  const standing = frame.followUpQuestions.filter((question, at) =>
    mayBeAsked(question, audited.get(sentences.length + at), gaps),
  );
  const critique = critiqueOfClaims(settled.checked.setAside ?? [], {
    logicalGaps,
    uncited: settled.checked.uncited ?? [],
  });
  const { needsRetry } = critique;
  const settledFrame = {
    ...frameOf(frame, settled),
    // What the report itself tells of, its conflicts and its gaps, can always be asked.
    followUpQuestions: standing.length > 0 ? standing : followUpQuestions({ conflicts, gaps }),
  };
  const instead = await readIfAny(content, insteadRef ?? null, ReportFrame);
  const better = instead === null ? settledFrame : betterFrame(instead, settledFrame);
  const verdicts = sentences.flatMap(({ isClaim }, at) => {
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
        needsRetry,
        setAside: settled.checked.setAside?.length ?? 0,
      },
    },
  );
  return {
    frameRef: await storeArtifact(content, run.runId, better),
    critiqueRef: await storeArtifact(content, run.runId, critique),
    needsRetry,
    usage,
    warnings: [...warnings, ...(standing.length < frame.followUpQuestions.length ? [UNASKED] : [])],
  };
}

/** As of two texts of a section. */
function betterFrame(earlier: ReportFrame, later: ReportFrame): ReportFrame {
  const [one, other] = [earlier, later].map((frame) => draftOf(frameText(frame)));
  return one === undefined || other === undefined || betterDraft(one, other) === other ? later : earlier;
}
