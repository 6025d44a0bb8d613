import type { SourceWindow } from '../contracts/source';
import { withoutAddresses } from '../lib/untrusted-text';
import { type Collection, sentencesOfPassages, type SourceSentence } from './collection';
import { looksBroken } from './features';
import { numbersIn, sameNumber } from './numbers';
import { negationsIn } from './polarity';
import type { Question, QuestionKind } from './question';
import type { Meaning, RankedSentence } from './ranking';
import { tokensOf } from './sentences';

export interface ChoiceLimits {
  most: number;
  mostOfASource: number;
  /** True: each source is heard once before any is heard again. */
  inTurns?: boolean;
  /** What is kept covers so much of what the best ones cover. */
  nearBest: number;
  /** Where sentences were read by their meaning: what is kept bears on the answer so likely at least, 0–1. */
  leastLikely?: number;
}

export const CHOICE: ChoiceLimits = { most: 15, mostOfASource: 3, nearBest: 0.62, leastLikely: 0.1 };

/** Likelihoods lie farther apart than coverages do: what is kept has so much of the share that is wanted of coverage. */
const OF_LIKELIHOOD = 0.5;

const MANY_SENTENCES = 200;
const BY_SIZE = 1 / 2;
const ONE_FACT: readonly QuestionKind[] = ['date', 'name'];

/**
 * How near to the best something must come in a collection of so many sentences. Few were put together for the question, and
 * most answer in words of their own; only where a fact is asked for it is the same bar for all.
 */
export function nearBestAmong(sentences: number, { kind, asksForEffect }: Question): number {
  if (ONE_FACT.includes(kind) && !asksForEffect) return CHOICE.nearBest;
  return CHOICE.nearBest * Math.min(1, (sentences / MANY_SENTENCES) ** BY_SIZE);
}

const BEST = 3;
/** A source is heard again only with what is so near to the best by itself. */
const AGAIN_WITHIN = 2.5;
/** Two sentences that share this much of their words repeat each other, unless a number or a denial differs. */
const OVERLAP = 0.7;

/** The sentences that answer, best first: those that cover nearly as much as the best, none that says what another does. */
export function chooseSentences(
  ranked: readonly RankedSentence[],
  { texts }: Collection,
  { most, mostOfASource, nearBest, leastLikely = 0, inTurns = false }: ChoiceLimits = CHOICE,
): RankedSentence[] {
  const chosen: RankedSentence[] = [];
  const perSource = new Map<number, number>();
  const said: { text: string; words: ReadonlySet<string> }[] = [];
  const again = meanOfBest(ranked, 'logOdds') - AGAIN_WITHIN;
  const able = nearTheBest(ranked, nearBest, leastLikely);
  for (const turn of inTurns ? Array.from({ length: mostOfASource }, (_, at) => at + 1) : [mostOfASource]) {
    for (const candidate of able) {
      if (chosen.length >= most) break;
      const already = perSource.get(candidate.source) ?? 0;
      if (already >= turn || chosen.includes(candidate)) continue;
      if (already > 0 && candidate.logOdds < again) continue;
      const text = texts[candidate.sentence] ?? '';
      const words = new Set(tokensOf(text));
      const isSaid = said.some(
        (other) => overlap(words, other.words) > OVERLAP && !saysOtherwise(text, other.text),
      );
      if (isSaid) continue;
      chosen.push(candidate);
      perSource.set(candidate.source, already + 1);
      said.push({ text, words });
    }
  }
  return chosen;
}

function saysOtherwise(text: string, other: string): boolean {
  const known = numbersIn(other);
  const isNew = numbersIn(text).some((number) => !known.some((one) => sameNumber(number, one)));
  return isNew || negationsIn(text) !== negationsIn(other);
}

/** By what they mean where they were read so, else by how much of the question they cover. */
function nearTheBest(
  ranked: readonly RankedSentence[],
  nearBest: number,
  leastLikely: number,
): RankedSentence[] {
  const meant = meaningsOfBest(ranked);
  if (meant.length === 0) {
    const wanted = nearBest * meanOfBest(ranked, 'coverage');
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

const NEARLY_AS_WELL = 0.8;

/** Where more of a collection passes the bar it was made for the question, and all of it that answers at all is read. */
const MOST_OF_ALL = 0.5;
const ANSWERS_AT_ALL = 0.5;
/** Where so many sources answer nearly as well as the best the question is a broad one, and all that pass are read. */
const BROAD = 30;

/**
 * The sources that answer nearly as well as the best, by their best sentences: few for a narrow question, many for a broad
 * one, and all that answer at all where the collection was made for the question.
 */
export function sourcesNearBest(
  ranked: readonly RankedSentence[],
  sources: number,
  nearBest: number = CHOICE.nearBest,
): RankedSentence[] {
  const best = meanOfBest(ranked, 'coverage');
  const seen = new Set<number>();
  const leading = ranked.filter(({ source }) => !seen.has(source) && seen.add(source));
  const passing = leading.filter(({ coverage }) => coverage >= nearBest * best);
  if (passing.length > MOST_OF_ALL * sources)
    return leading.filter(({ coverage }) => coverage >= Math.min(nearBest, ANSWERS_AT_ALL) * best);
  const near = passing.filter(({ coverage }) => coverage >= NEARLY_AS_WELL * best);
  return near.length >= BROAD ? passing : near;
}

export function meaningsOfBest(ranked: readonly RankedSentence[]): Meaning[] {
  return ranked.slice(0, BEST).flatMap(({ meaning }) => meaning ?? []);
}

export function meanOfBest(ranked: readonly RankedSentence[], what: 'coverage' | 'logOdds'): number {
  const best = ranked.slice(0, BEST);
  return best.reduce((sum, sentence) => sum + sentence[what], 0) / Math.max(1, best.length);
}

/** A heading, a caption or a fragment has fewer words; a sentence of a script without spaces has fewer spaces, not words. */
const LEAST_WORDS = 4;
const LONGEST_CHARS = 900;
/** What is left of a tag, or of a sentence that a name stood before: `id="Par43">In 2002 …`, `[58] concluded that …`. */
const REMNANT = /^(?:[\w-]+="[^"]*"[^<>]{0,40}>|\[\d[\d,\s–-]*\]\s+\p{Ll})/u;
/** What is left of a row, or what a table or a figure is called: `.79 % Taking tea`, `Take tea 3.75`, `Noise (dB)3.75 ± 0.4`, `Table 1Characteristics of …`. */
const ROW =
  /^(?:[.,;:%)\]]|(?:Table|Figure|Fig\.?)\s*\d+[\s.:]*\p{Lu})|^[\p{L} -]{3,40}\([^()]{1,12}\)\s?(?:\d|$)|\p{L}\s\d+[.,]\d+$/u;
/** Words that lost what parted them, of which a table has many: `severityTotal groupMildModerateSevere`; a name or two are written so. */
const MERGED = /(?<!\p{L})(?![eim]\p{Lu})\p{Ll}\p{Lu}\p{Ll}{3,}|\p{Ll}{3,}\p{Lu}\p{Ll}{2,}/gu;
const MOST_MERGED = 2;
/** Whether a text can have merged words: a quick look that saves most texts the slow one. */
const CAPITAL_WITHIN = /\p{Ll}\p{Lu}/u;
/** What stands under a table: `BMI, body mass index; SBP, …`, `Values are means ± SD`. */
const LEGEND =
  /\b\p{Lu}{2,}, [^;,.]{3,40}; \p{Lu}{2,}, |^(?:Data|Values)\b.{0,30}\b(?:means?|medians?|SDs?|SEMs?)\b/u;
/** A line that so many pages of one site have is theirs and not an article's: a notice, a menu, a call to subscribe. */
const PAGES_OF_BOILERPLATE = 3;
const LABEL = /^\p{Lu}[\p{Lu}\s.]*:\s*/u;

/** Whether a sentence, as a reader sees its links, reads as one by itself: no row of a table, no question, no title, no list of marks. */
export function isQuotable(sentence: string, title: string): boolean {
  const text = withoutAddresses(sentence).trim();
  const tokens = tokensOf(text);
  if (tokens.length < LEAST_WORDS || sentence.length > LONGEST_CHARS) return false;
  if (/[?？]["'”’)]*$/.test(text) || looksBroken(text, tokens.length)) return false;
  if (REMNANT.test(text) || ROW.test(text) || LEGEND.test(text)) return false;
  if (CAPITAL_WITHIN.test(text) && new Set(text.match(MERGED)).size > MOST_MERGED) return false;
  return tokensOf(text.replace(LABEL, '')).join(' ') !== tokensOf(title).join(' ');
}

/** For each source its sentences that may be quoted, in their order; without the lines that the pages of its site repeat. */
export function quotableSentences(
  sources: readonly Pick<SourceWindow, 'title' | 'site' | 'passages' | 'nearDuplicateOf'>[],
): SourceSentence[][] {
  const sentences = sources.map(({ title, passages }) =>
    sentencesOfPassages(passages).filter(({ text }) => isQuotable(text, title)),
  );
  const lineOf = (site: string, text: string): string => `${site}\n${text}`;
  const pages = new Map<string, number>();
  sources.forEach(({ site, nearDuplicateOf }, at) => {
    // Copies of one article repeat all of it, and none of that is boilerplate.
    if (site === undefined || nearDuplicateOf !== undefined) return;
    for (const text of new Set(sentences[at]?.map((sentence) => sentence.text))) {
      const line = lineOf(site, text);
      pages.set(line, (pages.get(line) ?? 0) + 1);
    }
  });
  return sources.map(({ site }, at) => {
    const own = sentences[at] ?? [];
    if (site === undefined) return own;
    return own.filter(({ text }) => (pages.get(lineOf(site, text)) ?? 0) < PAGES_OF_BOILERPLATE);
  });
}
