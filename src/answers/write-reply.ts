import { answerTexts } from '../texts/answer';
import { stands } from '../core/settled-text/stands';
import { inert } from '../core/writing/quotation';
import type { Answer } from '../contracts/answer/answer';
import type { AnswerDraft } from '../contracts/answer/answer-draft';
import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { AnswerSettings } from '../contracts/answer/answer-settings';
import {
  answerConfidence,
  atMostDisputed,
  supportingDocuments,
  type ConfidenceGrounds,
} from './answer-confidence';
import { confidenceMeaning } from './confidence-meaning';
import { evidenceConfidence, evidencePieces } from './evidence-confidence';
import { fallbackText, insufficientText, leftOutText } from './honest-texts';
import { renderAnswer } from './render-answer';
import { synthesisMode } from './synthesis-mode';

export interface ReplyMaterial {
  question: string;
  /** The audited draft; null where nothing was written, because there was nothing to write from. */
  draft: AnswerDraft | null;
  /** What the writer read, best first. */
  passages: readonly AnswerPassage[];
  documents: number;
  answerable: number;
  /** From what on `answerable` counts as answering. */
  answeredFrom: number;
  overCompression: boolean;
  /** How many claims of the draft the sources contradict each other on. */
  disputed: number;
  observations: number;
  settings: Pick<AnswerSettings, 'citations' | 'disclaimerBelow'>;
  rootOf?: (sourceId: string) => string;
}

export type Reply = Pick<
  Answer,
  | 'outcome'
  | 'answer'
  | 'confidence'
  | 'confidenceMeaning'
  | 'evidenceConfidence'
  | 'disclaimer'
  | 'citations'
  | 'claims'
  | 'setAside'
  | 'synthesisMode'
  | 'sourceDocumentCount'
>;

const NO_DRAFT: AnswerDraft = { markdown: '', sentences: [], uncited: [], missing: null, setAside: [] };

/** The reply to a question: answered where a claim stands, else what is missing and how to ask better. */
export function writeReply(material: ReplyMaterial): Reply {
  const { passages, observations, settings } = material;
  const { missing, setAside, ...draft } = material.draft ?? NO_DRAFT;
  const { markdown, claims, citations } = renderAnswer(draft, passages, settings.citations);
  const isAnswered = claims.length > 0;
  const { active, sourceDocumentCount } = synthesisMode(passages);
  const said = missing?.trim() ?? '';
  const pieces = evidencePieces(observations, isAnswered ? citations : []);
  const grounds: ConfidenceGrounds = {
    documents: supportingDocuments(claims, citations, material.rootOf),
    pieces,
    claims: claims.length,
    supported: claims.filter(stands).length,
    disputed: material.disputed,
    setAside: setAside.length,
    overCompression: material.overCompression,
    isPartial: isAnswered && said !== '',
    answerable: material.answerable,
    answeredFrom: material.answeredFrom,
  };
  const confidence = answerConfidence(grounds);
  const disclaimer = confidence < settings.disclaimerBelow ? answerTexts.disclaimer : null;
  const paragraphs = [
    isAnswered ? markdown : insufficientText({ ...material, missing, nearest: passages }),
    ...(isAnswered && said !== '' ? [answerTexts.missing(inert(said))] : []),
    ...(setAside.length > 0 ? [leftOutText(setAside)] : []),
    ...(disclaimer === null ? [] : [disclaimer]),
  ];
  return {
    outcome: isAnswered ? 'answered' : 'insufficient',
    answer: paragraphs.join('\n\n'),
    confidence,
    confidenceMeaning: confidenceMeaning(grounds),
    evidenceConfidence: atMostDisputed(evidenceConfidence(pieces), grounds),
    disclaimer,
    citations: isAnswered ? citations : [],
    claims,
    setAside: setAside.map((claim) => ({ ...claim, reason: claim.reason })),
    synthesisMode: active,
    sourceDocumentCount,
  };
}

/** Document 001's reply on failure, with confidence 0: the caller's own text as it is, or a plain message. */
export function writeFallback(finalOutput: string | undefined): Reply {
  const own = fallbackText(finalOutput);
  return {
    outcome: 'fallback',
    answer: own ?? answerTexts.failed,
    confidence: 0,
    confidenceMeaning: own === null ? answerTexts.nothingWritten : answerTexts.uncheckedFinalOutput,
    evidenceConfidence: 0,
    disclaimer: null,
    citations: [],
    claims: [],
    setAside: [],
    synthesisMode: false,
    sourceDocumentCount: 0,
  };
}
