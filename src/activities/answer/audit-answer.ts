import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages, type AnswerPassage } from '../../contracts/answer/answer-passage';
import type { AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { criticEntry } from '../../answers/answer-telemetry';
import { betterAnswer } from '../../answers/better-answer';
import { settleAnswer } from '../../answers/settle-answer';
import { eventKey } from '../../core/run/event-key';
import { countVerdicts } from '../../core/settled-text/count-verdicts';
import { critiqueOfClaims } from '../../core/settled-text/critique-of-claims';
import { audit } from '../../steps/audit/audit';
import { readIfAny, readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import type { Spent } from '../shared/run-step';
import { openSectionStream } from '../shared/section-stream';
import { ANSWER_WRITER, type AnswerFacts } from './answer-facts';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import type { CriticsAnswer } from '../shared/ask-critic';
import { auditText } from '../shared/texts/audit-text';
import type { TextMaterial } from '../shared/texts/text-material';

export interface AuditAnswerInput {
  run: AnswerFacts;
  /** From 1. */
  attempt: number;
  passagesRef: ArtifactRef;
  draftRef: ArtifactRef;
  /** An earlier text that was audited; it stands where this one is no better. */
  insteadRef: ArtifactRef | null;
  logicalGaps: string[];
}

export interface AuditedAnswer extends Spent {
  /** The better text, with its verdicts and without what does not stand. */
  draftRef: ArtifactRef;
  isBetter: boolean;
  critiqueRef: ArtifactRef;
  needsRetry: boolean;
  claims: number;
  supported: number;
  telemetry: Extract<AnswerTraceEntry, { node: 'critic' }>;
}

/**
 * A verdict for each claim of an answer, and one critique of all that is wrong. The text in which only what is supported stands
 * is streamed as a newer generation where it differs.
 */
export async function auditAnswer(
  ports: ActivityPorts,
  input: AuditAnswerInput,
  signal: AbortSignal,
): Promise<AuditedAnswer> {
  const begun = Date.now();
  const { run, attempt, passagesRef, draftRef, insteadRef, logicalGaps: known } = input;
  const { content, events } = ports;
  const draft = await readShared(content, draftRef, AnswerDraft);
  const instead = await readIfAny(content, insteadRef, AnswerDraft);
  const { passages } = await readShared(content, passagesRef, RetrievedPassages);
  const place = { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 };
  const judged = await judgeClaims(ports, run, draft, passages, { place, signal });
  const { verdicts, usage, warnings } = judged;
  const settled = settleAnswer(draft, verdicts);
  const logicalGaps = [...known, ...judged.logicalGaps];
  const critique = critiqueOfClaims(settled.setAside, { logicalGaps, uncited: settled.uncited });
  const { needsRetry } = critique;
  const better = instead === null ? settled : betterAnswer(instead, settled);
  const counts = countVerdicts([...verdicts.values()]);
  const { claims, supported } = counts;
  const setAside = settled.setAside.length;
  const tell = async (): Promise<void> => {
    const stream = await openSectionStream(events, run.runId, ANSWER_TEXT, ANSWER_WRITER);
    await stream.finish(better.markdown);
    await events.appendOnce(run.runId, eventKey({ ...place, step: audit.name, type: 'audit' }), {
      type: 'audit',
      payload: { section: ANSWER_TEXT, revision: attempt - 1, audit: counts, needsRetry, setAside },
    });
  };
  const [betterRef, critiqueRef] = await Promise.all([
    storeArtifact(content, run.runId, better),
    storeArtifact(content, run.runId, critique),
    tell(),
  ]);
  return {
    draftRef: betterRef,
    isBetter: better === settled,
    critiqueRef,
    needsRetry,
    claims,
    supported,
    telemetry: criticEntry(critique, {
      attempt,
      claims,
      supported,
      setAside,
      durationMs: Date.now() - begun,
    }),
    usage,
    warnings,
  };
}

/**
 * A verdict for each claim of a draft by its place, as the audit of every text finds it: each passage is a source, and what it says
 * a finding of it. Places are told by a passage's id, with offsets into the passage.
 */
async function judgeClaims(
  ports: ActivityPorts,
  run: AnswerFacts,
  { markdown, sentences }: Pick<AnswerDraft, 'markdown' | 'sentences'>,
  passages: readonly AnswerPassage[],
  at: Parameters<typeof auditText>[4],
): Promise<CriticsAnswer> {
  const checked = {
    sentences: sentences.map((sentence) => ({
      ...sentence,
      findingIds: sentence.passageIds,
      // What only leads to others is no claim, and cites nothing.
      standing: sentence.isClaim ? ('undecided' as const) : ('close' as const),
    })),
  };
  const { audited, ...rest } = await auditText(ports, run, { markdown, checked }, materialOf(passages), at);
  const verdicts = [...audited].map(([place, { verdict }]): [number, ClaimVerdict] => [place, verdict]);
  return { ...rest, verdicts: new Map(verdicts) };
}

function materialOf(passages: readonly AnswerPassage[]): TextMaterial {
  return {
    findings: passages.map(({ id, text }) => ({
      id,
      sectionId: id,
      claim: text,
      citations: [id],
      evidence: [{ sourceId: id, quote: text, start: 0, end: text.length }],
      confidence: 1,
    })),
    conflicts: [],
    sources: passages.map(({ id, title, author, site, publishedAt }) => ({
      sourceId: id,
      title,
      ...(author === undefined ? {} : { author }),
      ...(site === undefined ? {} : { site }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      quality: { level: 'general', reason: '' },
    })),
  };
}
