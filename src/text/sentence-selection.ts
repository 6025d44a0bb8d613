import type { SourceWindow } from '../contracts/source';
import { withoutAddresses } from '../lib/untrusted-text';
import { type Collection, sentencesOfPassages, type SourceSentence } from './collection';
import { isNoProse } from './features';
import { numbersIn, sameNumber } from './numbers';
import { negationsIn } from './polarity';
import type { Question, QuestionKind } from './question';
import type { Meaning, RankedSentence } from './ranking';
import { tokensOf } from './sentences';

export interface SelectionLimits {
  most: number;
  mostOfASource: number;
  /** True: every source gets one sentence before any gets its second. */
  inTurns?: boolean;
  nearBest: number;
  /** Minimum probability of relevance of sentences that the encoder read, 0–1. */
  leastLikely?: number;
}

export const DEFAULT_LIMITS: SelectionLimits = {
  most: 15,
  mostOfASource: 3,
  nearBest: 0.62,
  leastLikely: 0.1,
};

/** Factor from `nearBest` to the share of probabilities, which vary more than coverages. */
const OF_LIKELIHOOD = 0.5;

const MANY_SENTENCES = 200;
const BY_SIZE = 1 / 2;
const FACT_KINDS: readonly QuestionKind[] = ['date', 'name'];

/**
 * `nearBest` for a collection of this size. A small collection was chosen for the question, and its answers use their
 * own words, so the threshold is lower, except for questions for a fact.
 */
export function nearBestFor(sentences: number, { kind, asksForEffect }: Question): number {
  if (FACT_KINDS.includes(kind) && !asksForEffect) return DEFAULT_LIMITS.nearBest;
  return DEFAULT_LIMITS.nearBest * Math.min(1, (sentences / MANY_SENTENCES) ** BY_SIZE);
}

const TOP_SENTENCES = 3;
const REPEAT_SOURCE_MARGIN = 2.5;
/** Sentences with this word overlap repeat each other unless a number or a negation differs. */
const MAX_OVERLAP = 0.7;

export function selectSentences(
  ranked: readonly RankedSentence[],
  { texts }: Collection,
  { most, mostOfASource, nearBest, leastLikely = 0, inTurns = false }: SelectionLimits = DEFAULT_LIMITS,
): RankedSentence[] {
  const chosen: RankedSentence[] = [];
  const perSource = new Map<number, number>();
  const said: { text: string; words: ReadonlySet<string> }[] = [];
  const again = meanOfTop(ranked, 'logOdds') - REPEAT_SOURCE_MARGIN;
  const able = filterNearBest(ranked, nearBest, leastLikely);
  for (const turn of inTurns ? Array.from({ length: mostOfASource }, (_, at) => at + 1) : [mostOfASource]) {
    for (const candidate of able) {
      if (chosen.length >= most) break;
      const already = perSource.get(candidate.source) ?? 0;
      if (already >= turn || chosen.includes(candidate)) continue;
      if (already > 0 && candidate.logOdds < again) continue;
      const text = texts[candidate.sentence] ?? '';
      const words = new Set(tokensOf(text));
      const isSaid = said.some(
        (other) => overlap(words, other.words) > MAX_OVERLAP && !differsInSubstance(text, other.text),
      );
      if (isSaid) continue;
      chosen.push(candidate);
      perSource.set(candidate.source, already + 1);
      said.push({ text, words });
    }
  }
  return chosen;
}

function differsInSubstance(text: string, other: string): boolean {
  const known = numbersIn(other);
  const isNew = numbersIn(text).some((number) => !known.some((one) => sameNumber(number, one)));
  return isNew || negationsIn(text) !== negationsIn(other);
}

function filterNearBest(
  ranked: readonly RankedSentence[],
  nearBest: number,
  leastLikely: number,
): RankedSentence[] {
  const meant = topMeanings(ranked);
  if (meant.length === 0) {
    const wanted = nearBest * meanOfTop(ranked, 'coverage');
    return ranked.filter(({ coverage }) => coverage >= wanted);
  }
  const best = meant.reduce((sum, { likely }) => sum + likely, 0) / meant.length;
  const wanted = Math.max(leastLikely, OF_LIKELIHOOD * nearBest * best);
  return ranked.filter(({ meaning }) => meaning !== undefined && meaning.likely >= wanted);
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

const NEAR_BEST_SHARE = 0.8;

/** If a larger share of sources passes, the collection was made for the question, and the threshold is lower. */
const FOCUSED_COLLECTION_SHARE = 0.5;
const FOCUSED_NEAR_BEST = 0.5;
/** With this many near-best sources the question is broad, and all that pass are read. */
const BROAD_QUESTION_SOURCES = 30;

/** The best sentence of each source that answers nearly as well as the best; more sources for a broad question. */
export function sourcesNearBest(
  ranked: readonly RankedSentence[],
  sources: number,
  nearBest: number = DEFAULT_LIMITS.nearBest,
): RankedSentence[] {
  const best = meanOfTop(ranked, 'coverage');
  const seen = new Set<number>();
  const leading = ranked.filter(({ source }) => !seen.has(source) && seen.add(source));
  const passing = leading.filter(({ coverage }) => coverage >= nearBest * best);
  if (passing.length > FOCUSED_COLLECTION_SHARE * sources)
    return leading.filter(({ coverage }) => coverage >= Math.min(nearBest, FOCUSED_NEAR_BEST) * best);
  const near = passing.filter(({ coverage }) => coverage >= NEAR_BEST_SHARE * best);
  return near.length >= BROAD_QUESTION_SOURCES ? passing : near;
}

export function topMeanings(ranked: readonly RankedSentence[]): Meaning[] {
  return ranked.slice(0, TOP_SENTENCES).flatMap(({ meaning }) => meaning ?? []);
}

export function meanOfTop(ranked: readonly RankedSentence[], what: 'coverage' | 'logOdds'): number {
  const best = ranked.slice(0, TOP_SENTENCES);
  return best.reduce((sum, sentence) => sum + sentence[what], 0) / Math.max(1, best.length);
}

/** Fewer words are a heading, a caption or a fragment. Scripts without spaces are segmented first. */
const MIN_WORDS = 4;
const MAX_CHARS = 900;
const REMNANT = /^(?:[\w-]+="[^"]*"[^<>]{0,40}>|\[\d[\d,\s–-]*\]\s+\p{Ll})/u;
/** Table row or caption: `.79 % Taking tea`, `Take tea 3.75`, `Noise (dB)3.75 ± 0.4`, `Table 1Characteristics of …`. */
const ROW =
  /^(?:[.,;:%)\]]|(?:Table|Figure|Fig\.?)\s*\d+[\s.:]*\p{Lu})|^[\p{L} -]{3,40}\([^()]{1,12}\)\s?(?:\d|$)|\p{L}\s\d+[.,]\d+$/u;
/** Merged words of a table: `severityTotal groupMildModerateSevere`. One or two may be names. */
const MERGED = /(?<!\p{L})(?![eim]\p{Lu})\p{Ll}\p{Lu}\p{Ll}{3,}|\p{Ll}{3,}\p{Lu}\p{Ll}{2,}/gu;
const MAX_MERGED = 2;
/** Cheap test that spares most texts the slow `MERGED`. */
const CAPITAL_WITHIN = /\p{Ll}\p{Lu}/u;
/** Table legend: `BMI, body mass index; SBP, …`, `Values are means ± SD`. */
const LEGEND =
  /\b\p{Lu}{2,}, [^;,.]{3,40}; \p{Lu}{2,}, |^(?:Data|Values)\b.{0,30}\b(?:means?|medians?|SDs?|SEMs?)\b/u;
/** A line on this many pages of a site is boilerplate: a notice, a menu, a call to subscribe. */
const BOILERPLATE_PAGES = 3;
const LABEL = /^\p{Lu}[\p{Lu}\s.]*:\s*/u;

/**
 * True for a self-contained sentence; false for a table row, question, title or list of marks. Addresses of links are
 * ignored.
 */
export function isQuotable(sentence: string, title: string): boolean {
  const text = withoutAddresses(sentence).trim();
  const tokens = tokensOf(text);
  if (tokens.length < MIN_WORDS || sentence.length > MAX_CHARS) return false;
  if (/[?？]["'”’)]*$/.test(text) || isNoProse(text, tokens.length)) return false;
  if (REMNANT.test(text) || ROW.test(text) || LEGEND.test(text)) return false;
  if (CAPITAL_WITHIN.test(text) && new Set(text.match(MERGED)).size > MAX_MERGED) return false;
  return tokensOf(text.replace(LABEL, '')).join(' ') !== tokensOf(title).join(' ');
}

/** Quotable sentences by source, in order, without lines that pages of its site repeat. */
export function quotableSentences(
  sources: readonly Pick<SourceWindow, 'title' | 'site' | 'passages' | 'nearDuplicateOf'>[],
): SourceSentence[][] {
  const sentences = sources.map(({ title, passages }) =>
    sentencesOfPassages(passages).filter(({ text }) => isQuotable(text, title)),
  );
  const lineOf = (site: string, text: string): string => `${site}\n${text}`;
  const pages = new Map<string, number>();
  sources.forEach(({ site, nearDuplicateOf }, at) => {
    // Copies of an article repeat all of it, which is not boilerplate.
    if (site === undefined || nearDuplicateOf !== undefined) return;
    for (const text of new Set(sentences[at]?.map((sentence) => sentence.text))) {
      const line = lineOf(site, text);
      pages.set(line, (pages.get(line) ?? 0) + 1);
    }
  });
  return sources.map(({ site }, at) => {
    const own = sentences[at] ?? [];
    if (site === undefined) return own;
    return own.filter(({ text }) => (pages.get(lineOf(site, text)) ?? 0) < BOILERPLATE_PAGES);
  });
}
