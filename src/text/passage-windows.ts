import { CHARS_AROUND_SOURCE, charsInWindow } from '../contracts/budget';
import type { Evidence, Finding } from '../contracts/finding';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { Passage, SourceWindow } from '../contracts/source';
import { inTurns } from '../lib/iterables';
import { isBackMatter } from './collection';
import { digestChars, type DigestLimits } from './reading-groups';
import { type Span, splitPassages, splitSentences } from './sentences';
import { termFinder, terms } from './words';

/** A source with its texts; `content` is null where the store does not have it any more. */
export type WindowSource = Omit<SourceWindow, 'summaryOnly' | 'passages'> & {
  content: string | null;
  summary: string;
  /** Its content is the summary that was given in its place. */
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
  /** Most relevant first. */
  sources: WindowSource[];
  limits: WindowLimits;
}

/** Longer passages are cut between sentences when only a part of a source fits. */
const MAX_PIECE_CHARS = 1_500;

/**
 * What a step gets to read of each source. As many sources as the total allows are read in full, or in the passages
 * that say most about what is wanted; those beyond, and those without content, are read by their summary. The order
 * of the sources is kept, and of the passages within each.
 */
export function passageWindows({ wanted, sources, limits }: WindowRequest): SourceWindow[] {
  const readable = Math.max(1, Math.floor(limits.maxTotalChars / limits.minCharsPerSource));
  const inFull = sources.filter((source) => source.content !== null).slice(0, readable);
  const shares = shareOut(
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
          passages: passagesWithin(content, share, wanted),
        };
  });
}

/** Sources in their digests, each by itself: what one of them says does not change what is read of another. */
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

/** Divides `total` so that nobody gets more than they want, and what some leave goes to the others in equal parts. */
function shareOut(wants: readonly number[], total: number): number[] {
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

function passagesWithin(content: string, chars: number, wanted: string): Passage[] {
  const passages = splitPassages(content);
  if (lengthOf(passages) <= chars) return passages;
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

/** Pieces of at most `chars`, each of whole sentences; a sentence that is longer by itself is cut at its end. */
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
 * A summary as passages. Its sentences that stand in the content word for word are given with their place there, so
 * that quotes of them can be checked; without content the offsets are those of the summary.
 */
function summaryPassages(summary: string, content: string | null): Passage[] {
  if (content === null) return [{ start: 0, end: summary.length, text: summary, headings: [] }];
  return sentencesFoundIn(content, summary).map((span) => ({ ...span, headings: [] }));
}

function lengthOf(passages: readonly Passage[]): number {
  return passages.reduce((sum, passage) => sum + passage.text.length, 0);
}

/** A document's own account of itself, its methods included: it says who was studied, and is read before all else. */
const OWN_ACCOUNT = /\babstract\b/i;
const OWN_ACCOUNT_FIRST = 1_000;

/** What is said in back matter counts for so little that any of the account comes before it. */
const BACK_MATTER_LAST = 1e-6;

/** A passage's worth is set against its length; shorter ones than this are mostly headings and captions. */
const MIN_LENGTH = 200;

/**
 * How much each passage of one source says about what is wanted: the rarity-weighted share of the wanted terms that it
 * has, raised where there are numbers, and set against the square root of its length, so that a short paragraph stands up
 * to a long one. The abstract comes first, back matter last.
 */
function passageScores(passages: readonly Passage[], wanted: string): number[] {
  const wantedTerms = new Set(terms(wanted));
  const findTerms = termFinder(wantedTerms);
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
    if (OWN_ACCOUNT.test(passage.headings.join(' '))) return OWN_ACCOUNT_FIRST + overlap;
    const part = isBackMatter(passage.headings) ? BACK_MATTER_LAST : 1;
    const numbers = /\d/.test(passage.text) ? 1.2 : 1;
    return ((overlap + 0.1) * part * numbers) / Math.sqrt(Math.max(passage.text.length, MIN_LENGTH));
  });
}

/** Passages stand in a prompt under their headings, which take so much more. */
const HEADINGS_SHARE = 0.06;

/**
 * How much of `sources` sources a call reads, in UTF-16 units: what the settings allow and what the model's window takes
 * less a quarter, the smaller of them. Where each source would get less than its minimum the minimum holds, and the step
 * asks in several calls. `besides` is what the prompt has besides the sources; `contextTokens` is null without a model.
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

/** Document 002: below 0.5 is weak evidence. Nobody has read these sources for the section. */
const SUMMARY_CONFIDENCE = 0.45;

export interface SummarisedText {
  sourceId: string;
  summary: string;
  content: string | null;
}

/**
 * What stands in for findings where pass 2 failed: the sentences of the summaries that the sources themselves have word for
 * word, each source's first before any source's second. A summary in other words than its source's gives nothing that could
 * be checked, and is left out.
 */
export function findingsFromSummaries(
  sectionId: string,
  sources: readonly SummarisedText[],
  max: number,
): Finding[] {
  return inTurns(sources.map(quotesOf))
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

function quotesOf({ sourceId, summary, content }: SummarisedText): Evidence[] {
  return sentencesFoundIn(content ?? '', summary).map(({ text, ...place }) => ({
    sourceId,
    quote: text,
    ...place,
  }));
}

function sentencesFoundIn(content: string, summary: string): Span[] {
  return splitSentences(summary).flatMap(({ text }) => {
    const start = content.indexOf(text);
    return start < 0 ? [] : [{ start, end: start + text.length, text }];
  });
}
