import { CHARS_AROUND_SOURCE, charsInWindow } from '../contracts/budget';
import type { Evidence, Finding } from '../contracts/finding';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { Passage, SourceWindow } from '../contracts/source';
import { interleave } from '../lib/iterables';
import { isBackMatter } from './collection';
import { digestChars, type DigestLimits } from './reading-groups';
import { type Span, splitPassages, splitSentences } from './sentences';
import { createTermFinder, terms } from './words';

/** `content` is null if the store no longer has it. */
export type WindowSource = Omit<SourceWindow, 'summaryOnly' | 'passages'> & {
  content: string | null;
  summary: string;
  /** True if `content` is a summary from the caller. */
  hasSummaryAlone?: boolean;
};

/** In UTF-16 units. */
interface WindowLimits {
  maxTotalChars: number;
  maxCharsPerSource: number;
  minCharsPerSource: number;
}

export interface WindowRequest {
  wanted: string;
  sources: WindowSource[];
  limits: WindowLimits;
}

const MAX_PIECE_CHARS = 1_500;

/**
 * Divides the reading budget among sources. As many as the total allows are read whole or in their most relevant
 * passages; the others, and those without content, by summary. Sources and passages keep their order.
 */
export function passageWindows({ wanted, sources, limits }: WindowRequest): SourceWindow[] {
  const readable = Math.max(1, Math.floor(limits.maxTotalChars / limits.minCharsPerSource));
  const inFull = sources.filter((source) => source.content !== null).slice(0, readable);
  const shares = divideFairly(
    inFull.map((source) => Math.min(source.content?.length ?? 0, limits.maxCharsPerSource)),
    limits.maxTotalChars,
  );
  const shareOf = new Map(inFull.map((source, index) => [source.sourceId, shares[index] ?? 0]));
  return sources.map(({ content, summary, hasSummaryAlone, ...source }) => {
    const share = shareOf.get(source.sourceId);
    return content === null || share === undefined
      ? { ...source, summaryOnly: true, passages: summaryPassages(summary, content) }
      : {
          ...source,
          summaryOnly: hasSummaryAlone === true,
          passages: selectPassages(content, share, wanted),
        };
  });
}

export function sourceDigests({
  wanted,
  sources,
  limits,
}: Omit<WindowRequest, 'limits'> & { limits: DigestLimits }): SourceWindow[] {
  return sources.flatMap((source) => {
    const chars = digestChars(source.content?.length ?? 0, limits);
    const own = { maxTotalChars: chars, maxCharsPerSource: chars, minCharsPerSource: Math.max(1, chars) };
    return passageWindows({ wanted, sources: [source], limits: own });
  });
}

/** Divides `total` fairly: no share exceeds its request, and unused parts go to the others equally. */
function divideFairly(wants: readonly number[], total: number): number[] {
  const shares = wants.map(() => 0);
  let left = total;
  const bySize = wants
    .map((want, index) => ({ want, index }))
    .sort((a, b) => a.want - b.want || a.index - b.index);
  bySize.forEach(({ want, index }, rank) => {
    const share = Math.min(want, Math.floor(left / (bySize.length - rank)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

function selectPassages(content: string, chars: number, wanted: string): Passage[] {
  const passages = splitPassages(content);
  if (totalChars(passages) <= chars) return passages;
  const pieces = passages.flatMap((passage) =>
    cutBetweenSentences(passage, Math.min(MAX_PIECE_CHARS, chars)),
  );
  const scores = passageScores(pieces, wanted);
  const ranked = pieces
    .map((piece, index) => ({ piece, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.piece.start - b.piece.start);
  const kept: Passage[] = [];
  let left = chars;
  for (const { piece } of ranked) {
    if (piece.text.length > left) continue;
    kept.push(piece);
    left -= piece.text.length;
  }
  return kept.sort((a, b) => a.start - b.start);
}

function cutBetweenSentences(passage: Passage, chars: number): Passage[] {
  if (passage.text.length <= chars) return [passage];
  const pieces: Passage[] = [];
  let start = 0;
  let end = 0;
  const flush = (): void => {
    const text = passage.text.slice(start, Math.min(end, start + chars));
    if (text !== '') {
      const at = passage.start + start;
      pieces.push({ start: at, end: at + text.length, text, headings: passage.headings });
    }
  };
  for (const sentence of splitSentences(passage.text)) {
    if (end > start && sentence.end - start > chars) {
      flush();
      start = sentence.start;
    }
    end = sentence.end;
  }
  flush();
  return pieces;
}

/**
 * A summary as passages. With content, only its verbatim sentences, at their offsets in the content, so that quotes
 * can be checked. Without content, the offsets are those of the summary.
 */
function summaryPassages(summary: string, content: string | null): Passage[] {
  if (content === null) return [{ start: 0, end: summary.length, text: summary, headings: [] }];
  return verbatimSentences(content, summary).map((span) => ({ ...span, headings: [] }));
}

function totalChars(passages: readonly Passage[]): number {
  return passages.reduce((sum, passage) => sum + passage.text.length, 0);
}

/** The abstract names methods and participants, so it is read first. */
const ABSTRACT_HEADING = /\babstract\b/i;
const ABSTRACT_SCORE = 1_000;

const BACK_MATTER_WEIGHT = 1e-6;

/** Minimum divisor for the length; shorter passages are mostly headings and captions. */
const MIN_LENGTH = 200;

/**
 * Relevance of each passage of a source: the rarity-weighted terms that it shares with the request, more with numbers,
 * divided by the square root of its length so that short paragraphs compete. The abstract comes first, back matter
 * last.
 */
function passageScores(passages: readonly Passage[], wanted: string): number[] {
  const wantedTerms = new Set(terms(wanted));
  const findTerms = createTermFinder(wantedTerms);
  const held = passages.map(({ text }) => findTerms(text));
  const weight = new Map(
    [...wantedTerms].map((term) => {
      const having = held.filter((set) => set.has(term)).length;
      return [term, Math.log(1 + passages.length / (having + 1))] as const;
    }),
  );
  return passages.map((passage, index) => {
    let overlap = 0;
    for (const term of held[index] ?? []) overlap += weight.get(term) ?? 0;
    if (ABSTRACT_HEADING.test(passage.headings.join(' '))) return ABSTRACT_SCORE + overlap;
    const part = isBackMatter(passage.headings) ? BACK_MATTER_WEIGHT : 1;
    const numbers = /\d/.test(passage.text) ? 1.2 : 1;
    return ((overlap + 0.1) * part * numbers) / Math.sqrt(Math.max(passage.text.length, MIN_LENGTH));
  });
}

const HEADINGS_SHARE = 0.06;

/**
 * Reading budget of a call in UTF-16 units: the lesser of the settings and the model's window, but never less than
 * `minCharsPerSource` a source. `besides` is the rest of the prompt; `contextTokens` is null without a model.
 */
export function readingLimits(
  settings: SynthesisSettings,
  sources: number,
  { contextTokens, besides }: { contextTokens: number | null; besides: number },
): WindowLimits {
  const { maxTotalChars, maxCharsPerSource } = settings;
  const minCharsPerSource = Math.min(settings.minCharsPerSource, maxCharsPerSource);
  const room =
    contextTokens === null
      ? Infinity
      : Math.floor(
          (charsInWindow(contextTokens) - besides - sources * CHARS_AROUND_SOURCE) * (1 - HEADINGS_SHARE),
        );
  return {
    maxTotalChars: Math.min(maxTotalChars, Math.max(room, sources * minCharsPerSource)),
    maxCharsPerSource,
    minCharsPerSource,
  };
}

/** Document 002: below 0.5 is weak evidence. No reader checked these sources for the section. */
const SUMMARY_CONFIDENCE = 0.45;

export interface SummarisedText {
  sourceId: string;
  summary: string;
  content: string | null;
}

/**
 * Fallback findings for a failed pass 2: verbatim sentences of the summaries, the first of each source before any
 * second. A summary in other words gives none, because its quotes could not be checked.
 */
export function findingsFromSummaries(
  sectionId: string,
  sources: readonly SummarisedText[],
  max: number,
): Finding[] {
  return interleave(sources.map(verbatimEvidence))
    .slice(0, max)
    .map((evidence, index) => ({
      id: `${sectionId}-finding-${index + 1}`,
      sectionId,
      claim: evidence.quote.replace(/\s+/g, ' '),
      citations: [evidence.sourceId],
      evidence: [evidence],
      confidence: SUMMARY_CONFIDENCE,
    }));
}

function verbatimEvidence({ sourceId, summary, content }: SummarisedText): Evidence[] {
  return verbatimSentences(content ?? '', summary).map(({ text, ...place }) => ({
    sourceId,
    quote: text,
    ...place,
  }));
}

function verbatimSentences(content: string, summary: string): Span[] {
  return splitSentences(summary).flatMap(({ text }) => {
    const start = content.indexOf(text);
    return start < 0 ? [] : [{ start, end: start + text.length, text }];
  });
}
