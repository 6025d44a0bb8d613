import type { Answer, AnswerCitation, AnswerClaim, AnswerPassage } from '../contracts/answer';
import type { AnswerDraft, AnswerSentence } from '../contracts/draft';
import type { ClaimVerdict, Evidence } from '../contracts/finding';
import type { AnswerCitationStyle, AnswerSettings } from '../contracts/run-settings';
import { isSupported } from '../evidence/decide-statement';
import { citedIds, createOffsetMap, isPlainCitation, replaceMarks } from '../lib/citation-marks';
import { stripUnsafe, toSafeLine } from '../lib/untrusted-text';
import { citationText, fallbackText, notFoundText, removedClaimsText } from './answer-citations';
import {
  answerConfidence,
  capDisputedConfidence,
  citedDocumentId,
  type ConfidenceGrounds,
  confidenceMeaning,
  supportingDocuments,
} from './answer-confidence';
import { evidenceInSource, synthesisMode } from './answer-passages';
import { answerTexts } from './answer-texts';

const NOT_AUDITED = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'The claim was not audited.',
  evidence: null,
  probability: null,
} as const;

/** Number of passages under one claim that is written as a range, as in document 003's example. */
const MIN_RANGE = 3;

/** Document 001's table: confidence by number of independent pieces of evidence; more than three add nothing. */
const CONFIDENCE_STEPS = [0, 0.6, 0.8, 0.95] as const;

export interface ReplyMaterial {
  question: string;
  /** The audited draft; null if there was nothing to write from. */
  draft: AnswerDraft | null;
  passages: readonly AnswerPassage[];
  documents: number;
  /** Probability that the sources answer, 0–1; 1 if a model decided that they do. */
  answerable: number;
  answeredFrom: number;
  overCompression: boolean;
  disputed: number;
  observations: number;
  settings: Pick<AnswerSettings, 'citations' | 'disclaimerBelow'>;
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

const NO_DRAFT: AnswerDraft = { markdown: '', sentences: [], missing: null, setAside: [] };

export function writeReply(material: ReplyMaterial): Reply {
  const { passages, observations, settings } = material;
  const { missing, setAside, ...draft } = material.draft ?? NO_DRAFT;
  const { markdown, claims, citations } = renderAnswer(draft, passages, settings.citations);
  const isAnswered = claims.length > 0;
  const { active, sourceDocumentCount } = synthesisMode(passages);
  const said = missing?.trim() ?? '';
  const documents = supportingDocuments(claims, citations);
  const pieces = evidencePieces(observations, citations, documents);
  const grounds: ConfidenceGrounds = {
    documents,
    claims: claims.length,
    supported: claims.filter(isSupported).length,
    disputed: material.disputed,
    setAside: setAside.length,
    overCompression: material.overCompression,
    answerable: material.answerable,
    answeredFrom: material.answeredFrom,
  };
  const byEvidence = capDisputedConfidence(evidenceConfidence(pieces), grounds);
  const confidence = Math.min(answerConfidence(grounds), byEvidence);
  const disclaimer = confidence < settings.disclaimerBelow ? answerTexts.disclaimer : null;
  const paragraphs = [
    isAnswered ? markdown : notFoundText({ ...material, missing, nearest: passages }),
    ...(isAnswered && said !== '' ? [answerTexts.missing(toSafeLine(said))] : []),
    ...(setAside.length > 0 ? [removedClaimsText(setAside)] : []),
    ...(disclaimer === null ? [] : [disclaimer]),
  ];
  return {
    outcome: isAnswered ? 'answered' : 'insufficient',
    answer: paragraphs.join('\n\n'),
    confidence,
    confidenceMeaning: confidenceMeaning(grounds),
    evidenceConfidence: byEvidence,
    disclaimer,
    citations: isAnswered ? citations : [],
    claims,
    setAside: setAside.map((claim) => ({ ...claim, reason: claim.reason })),
    synthesisMode: active,
    sourceDocumentCount,
  };
}

/** Document 001's reply on failure, with confidence 0: the caller's own text unchanged, or a plain message. */
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

/** The caller's observations, or else the distinct cited documents; at most 1 if a single document supports the reply. */
export function evidencePieces(
  observations: number,
  citations: readonly Pick<AnswerCitation, 'sourceId' | 'work'>[],
  supporting: number,
): number {
  const pieces = observations > 0 ? observations : new Set(citations.map(citedDocumentId)).size;
  return supporting > 1 ? pieces : Math.min(pieces, supporting);
}

/** 0 → 0, 1 → 0.6, 2 → 0.8, 3 or more → 0.95. */
export function evidenceConfidence(pieces: number): number {
  return CONFIDENCE_STEPS[Math.min(Math.max(0, Math.floor(pieces)), CONFIDENCE_STEPS.length - 1)] ?? 0;
}

/** Text appended to the Markdown moves no offset. */
interface RenderedAnswer {
  markdown: string;
  claims: AnswerClaim[];
  citations: AnswerCitation[];
}

/** Replaces citation marks with citations in the given style; marks of unknown passages are removed. */
export function renderAnswer(
  draft: Pick<AnswerDraft, 'markdown' | 'sentences'>,
  passages: readonly AnswerPassage[],
  style: AnswerCitationStyle,
): RenderedAnswer {
  const written = stripUnsafe(draft.markdown);
  const numbers = numberPassages(written, passages);
  const cited = new Map(
    passages.flatMap((passage): [string, NumberedPassage][] => {
      const n = numbers.get(passage.id);
      return n === undefined ? [] : [[passage.id, { ...passage, n }]];
    }),
  );
  const shifts = createOffsetMap();
  const markdown = replaceMarks(written, (ids, start, end) => {
    const text = citationText(passagesOf(ids, cited), style);
    const closed = text === '' || isPlainCitation(text, written, start, end) ? text : `${text} `;
    return shifts.put(closed, start, end);
  });
  const claims: AnswerClaim[] = [];
  let from = 0;
  for (const sentence of draft.sentences) {
    const text = stripUnsafe(sentence.text);
    const at = written.indexOf(text, from);
    if (at < 0) continue; // checked when the answer is written
    from = at + text.length;
    const [start, end] = [shifts.offsetOf(at), shifts.offsetOf(from)];
    const id = `C${claims.length + 1}`;
    const ids = sentence.passageIds.length > 0 ? sentence.passageIds : [...cited.keys()];
    claims.push({
      id,
      text: markdown.slice(start, end),
      start,
      end,
      ...judgedClaim(sentence, passagesOf(ids, cited)),
    });
  }
  return { markdown, claims, citations: citationsOf(draft, cited) };
}

function passagesOf(ids: readonly string[], cited: ReadonlyMap<string, NumberedPassage>): NumberedPassage[] {
  return [...new Set(ids)].flatMap((id) => cited.get(id) ?? []);
}

function judgedClaim(
  { verdict = NOT_AUDITED }: AnswerSentence,
  cited: readonly NumberedPassage[],
): Omit<AnswerClaim, 'id' | 'text' | 'start' | 'end'> {
  const citations = cited.map(({ n }) => n).sort((a, b) => a - b);
  const { quotes, ...found }: ClaimVerdict = verdict;
  return {
    citations,
    ...found,
    ...(quotes === undefined ? {} : { quotes: quotes.map((quote) => evidenceInSource(quote, cited)) }),
    evidence: claimEvidence(verdict.evidence, cited),
  };
}

function citationsOf(
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  cited: ReadonlyMap<string, NumberedPassage>,
): AnswerCitation[] {
  const together = multiSourceIds(
    sentences.map(({ text }) => ({ passageIds: citedIds(text) })),
    cited,
  );
  return [...cited.values()]
    .sort((a, b) => a.n - b.n)
    .map(({ id, ...passage }) => ({ ...passage, multiSource: together.has(id) }));
}

/** Passage id → its number in the answer, from 1 without gaps, in order of first citation. */
function numberPassages(
  markdown: string,
  passages: readonly Pick<AnswerPassage, 'id'>[],
): ReadonlyMap<string, number> {
  const known = new Set(passages.map(({ id }) => id));
  const cited = new Set(citedIds(markdown).filter((id) => known.has(id)));
  return new Map([...cited].map((id, at) => [id, at + 1]));
}

/** Ids of passages that a claim cites together with a passage of another document, or with two more (decision 0018). */
function multiSourceIds(
  claims: readonly { passageIds: readonly string[] }[],
  passages: ReadonlyMap<string, Pick<AnswerPassage, 'sourceId' | 'origin' | 'work'>>,
): ReadonlySet<string> {
  const together = claims.filter(({ passageIds }) => {
    const cited = passageIds.flatMap((id) => passages.get(id) ?? []);
    const documents = cited.filter(({ origin }) => origin === 'text').map(citedDocumentId);
    return documents.length >= MIN_RANGE || new Set(documents).size > 1;
  });
  const ids = together.flatMap(({ passageIds }) => passageIds);
  return new Set(ids.filter((id) => passages.get(id)?.origin === 'text'));
}

type NumberedPassage = AnswerPassage & { n: number };

/** Passage ids and offsets are converted to offsets into the source. */
function claimEvidence(
  evidence: Evidence | null,
  cited: readonly NumberedPassage[],
): AnswerClaim['evidence'] {
  if (evidence === null) return [];
  const { sourceId, quote, start, end, page } = evidence;
  const own = cited.find(({ id, text }) => id === sourceId && text.slice(start, end) === quote);
  const holding = cited.find((passage) => {
    return passage.sourceId === sourceId && passage.start <= start && end <= passage.end;
  });
  const passage = own ?? holding ?? cited.find((other) => other.sourceId === sourceId);
  if (passage === undefined) return [];
  const by = own === undefined ? 0 : own.start;
  const { pages } = passage;
  const onPage = page ?? (pages?.from === pages?.to && pages?.name === undefined ? pages?.from : undefined);
  return [
    {
      n: passage.n,
      sourceId: passage.sourceId,
      quote,
      start: start + by,
      end: end + by,
      ...(onPage === undefined ? {} : { page: onPage }),
      ...(pages?.name === undefined ? {} : { place: pages.name }),
    },
  ];
}
