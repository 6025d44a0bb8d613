import type { Answer, AnswerOutcome } from '../../contracts/answer/answer';
import type { AnswerDraft } from '../../contracts/answer/answer-draft';
import type { AnswerPassage, RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { AnswerCitationStyle } from '../../contracts/answer/answer-settings';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import { answerConfidence, supportingDocuments, type ConfidenceGrounds } from './answer-confidence';
import { confidenceMeaning, DISCLAIMER } from './confidence-meaning';
import { fallbackText, insufficientText, leftOutText, missingText } from './honest-texts';
import { renderAnswer, type RenderedAnswer } from './render-answer';
import { synthesisMode } from './synthesis-mode';

/** What a reply is made of. */
export interface AnswerParts {
  question: string;
  /** The best text, audited; null where there is none. */
  draft: AnswerDraft | null;
  /** What it was written from, or what was found last; null where nothing was. */
  retrieved: Pick<RetrievedPassages, 'passages' | 'searched' | 'answerable'> | null;
  /** Why no better reply could be made; null where it was carried out to its end. */
  failure: string | null;
  finalOutput: string | undefined;
  overCompression: boolean;
  /** From what on what was searched counts as answering. */
  answeredFrom: number;
  citations: AnswerCitationStyle;
  disclaimerBelow: number;
}

export type AssembledAnswer = Pick<
  Answer,
  | 'outcome'
  | 'answer'
  | 'confidence'
  | 'confidenceMeaning'
  | 'disclaimer'
  | 'citations'
  | 'claims'
  | 'setAside'
  | 'sourceDocumentCount'
>;

/** The reply of what there is: an answer, what is missing for one, or what stands in for one. Pure. */
export function assembleAnswer(parts: AnswerParts): AssembledAnswer {
  const { draft, retrieved, failure } = parts;
  const passages = retrieved?.passages ?? [];
  const setAside = (draft?.setAside ?? []).map((claim) => ofSources(claim, passages));
  const { sourceDocumentCount } = synthesisMode(passages);
  const rendered = draft === null ? null : renderAnswer(draft, passages, parts.citations);
  if (draft !== null && rendered !== null && rendered.claims.length > 0)
    return { ...answered(parts, draft, rendered), setAside, sourceDocumentCount };
  const outcome: AnswerOutcome = failure === null ? 'insufficient' : 'fallback';
  const answer =
    outcome === 'fallback'
      ? fallbackText(parts.finalOutput)
      : insufficientText({
          question: parts.question,
          documents: retrieved?.searched.documents ?? 0,
          missing: draft?.missing ?? null,
          nearest: passages,
        });
  return {
    outcome,
    answer,
    confidence: 0,
    confidenceMeaning: outcome === 'fallback' ? NOT_CHECKED : NO_SOURCES,
    disclaimer: null,
    citations: [],
    claims: [],
    setAside,
    sourceDocumentCount,
  };
}

const NOT_CHECKED = 'nothing was checked';
const NO_SOURCES = 'no sources';

function answered(
  parts: AnswerParts,
  draft: AnswerDraft,
  { markdown, claims, citations }: RenderedAnswer,
): Omit<AssembledAnswer, 'setAside' | 'sourceDocumentCount'> {
  const { retrieved, overCompression, answeredFrom, disclaimerBelow } = parts;
  const grounds: ConfidenceGrounds = {
    documents: supportingDocuments(claims, citations),
    claims: claims.length,
    supported: claims.filter(({ verdict }) => verdict === 'supported').length,
    setAside: draft.setAside.length,
    overCompression,
    answerable: retrieved?.answerable ?? 0,
    answeredFrom,
  };
  const confidence = answerConfidence(grounds);
  const disclaimer = confidence < disclaimerBelow ? DISCLAIMER : null;
  const paragraphs = [
    markdown,
    ...(draft.missing === null ? [] : [missingText(draft.missing)]),
    ...(draft.setAside.length === 0 ? [] : [leftOutText(draft.setAside.length)]),
    ...(disclaimer === null ? [] : [disclaimer]),
  ];
  return {
    outcome: 'answered',
    answer: paragraphs.join('\n\n'),
    confidence,
    confidenceMeaning: confidenceMeaning(grounds),
    disclaimer,
    citations,
    claims,
  };
}

/** A claim that was set aside, told by sources and offsets into them: an audit reads passages alone. */
function ofSources(claim: SetAsideClaim, passages: readonly AnswerPassage[]): SetAsideClaim {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const { evidence, betterSourceId, sourceIds } = claim;
  const passage = evidence === null ? undefined : byId.get(evidence.sourceId);
  const sourceOf = (id: string): string => byId.get(id)?.sourceId ?? id;
  return {
    ...claim,
    sourceIds: [...new Set(sourceIds.map(sourceOf))],
    ...(betterSourceId === undefined ? {} : { betterSourceId: sourceOf(betterSourceId) }),
    evidence:
      evidence === null || passage === undefined
        ? evidence
        : {
            ...evidence,
            sourceId: passage.sourceId,
            start: evidence.start + passage.start,
            end: evidence.end + passage.start,
          },
  };
}
