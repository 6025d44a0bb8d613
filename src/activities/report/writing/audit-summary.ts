import type { ArtifactRef } from '../../../contracts/run/artifact';
import { ReportFrame, SectionDraft, type WrittenSentence } from '../../../contracts/report/draft';
import { ValidatedFindings, type Finding, type Gap } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import { betterDraft } from '../../../core/settled-text/better-draft';
import { critiqueOfClaims } from '../../../core/settled-text/critique-of-claims';
import { countVerdicts } from '../../../core/settled-text/count-verdicts';
import { frameOf, frameText } from '../../../core/settled-text/frame-text';
import { summaryWording } from '../../../core/settled-text/summary-wording';
import { draftOf, settleText, type AuditedSentence } from '../../../core/settled-text/settle-text';
import { audit } from '../../../steps/audit/audit';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { roundOf, type Spent } from '../../shared/run-step';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { openCatalogue } from '../gather/catalogue';
import { auditText } from '../../shared/texts/audit-text';
import { citableSources } from './text-material';
import { stands } from '../../../core/settled-text/stands';
import { citationMark } from '../../../core/text/citation-marks';
import { terms } from '../../../language/words';
import { judgeSentence } from '../../../verification/judge-sentence';

export interface AuditSummaryInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  frameRef: ArtifactRef;
  drafts: { sectionId: string; draftRef: ArtifactRef }[];
  revision?: number;
  /** An earlier text that was audited; it stands where this one is no better. */
  insteadRef?: ArtifactRef;
}

export interface AuditedSummary extends Spent {
  frameRef: ArtifactRef;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
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
    { findings, conflicts, sources },
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
    followUpQuestions: standing,
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

function betterFrame(earlier: ReportFrame, later: ReportFrame): ReportFrame {
  const [one, other] = [earlier, later].map((frame) => draftOf(frameText(frame)));
  return one === undefined || other === undefined || betterDraft(one, other) === other ? later : earlier;
}

/** What a question takes for granted is looked for in the findings that have most of its words; more are of something else. */
const MOST_FINDINGS = 2;

/**
 * Questions as sentences that can be audited beside others: what each takes for granted, with the sources of the findings that it
 * is on. “Which dose cures it?” says that some dose does, and a report says no more by its questions than by its text.
 */
function questionSentences(questions: readonly string[], findings: readonly Finding[]): WrittenSentence[] {
  return questions.map((question) => {
    const on = findingsOn(question, findings);
    const plain = `What this question takes for granted stands in the sources: “${question}”`;
    const sources = [...new Set(on.flatMap(({ citations }) => citations))];
    return {
      text: sources.length === 0 ? plain : `${plain} ${citationMark(sources)}`,
      plain,
      findingIds: on.map(({ id }) => id),
      isClaim: true,
      standing: 'undecided',
    };
  });
}

/** Whether a question may be asked: what it takes for granted was found to stand, or the report tells it as a gap already. */
function mayBeAsked(question: string, found: AuditedSentence | undefined, gaps: readonly Gap[]): boolean {
  if (found !== undefined && stands(found.verdict)) return true;
  const told = { passages: gaps.map((gap) => gap.question), attribution: [], numbersFrom: [] };
  return judgeSentence(question, told).verdict === 'close';
}

/** Those that say most of what it asks; what every finding says tells none of them from the others. */
function findingsOn(question: string, findings: readonly Finding[]): Finding[] {
  const asked = [...new Set(terms(question))];
  const said = findings.map(
    ({ claim, evidence }) => new Set(terms([claim, ...evidence.map(({ quote }) => quote)].join(' '))),
  );
  const weights = asked.map((term) => 1 / said.filter((own) => own.has(term)).length);
  return findings
    .map((finding, place) => ({
      finding,
      weight: asked.reduce(
        (sum, term, at) => sum + (said[place]?.has(term) === true ? (weights[at] ?? 0) : 0),
        0,
      ),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_FINDINGS)
    .map(({ finding }) => finding);
}
