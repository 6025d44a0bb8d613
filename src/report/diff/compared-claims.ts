import { capabilitiesOf } from '../../contracts/pipeline';
import type { Report, ReportClaim } from '../../contracts/report';
import { CONFIDENCE_REMARK } from '../../evidence/corroboration';
import { unescapeMarkdown } from '../../lib/untrusted-text';
import { sentenceKey } from '../../text/duplicates';
import { numbersIn } from '../../text/numbers';
import {
  areOpposed,
  contentStems,
  type Effect,
  negationsIn,
  reportedEffects,
  reportsNoEffect,
} from '../../text/polarity';
import { tokensOf } from '../../text/sentences';
import { stemOf, STOP_WORDS } from '../../text/words';
import { reportLabels } from '../citations';
import type { SourceKeys } from './pairing';

export interface ComparedQuote {
  source: string;
  quote: string;
  key: string;
  start: number;
  end: number;
  /** Stems of its topic, whatever it states about that. */
  matter: ReadonlySet<string>;
}

export interface ComparedClaim extends ClaimStatement {
  claim: ReportClaim;
  statementKey: string;
  words: ReadonlySet<string>;
  /** The first is the one that the claim states. */
  quotes: readonly ComparedQuote[];
  sources: ReadonlySet<string>;
}

export function comparedClaims(report: Report, keys: SourceKeys): ComparedClaim[] {
  return report.claims.map((claim): ComparedClaim => {
    const told = statementOf(claim, report);
    const statementKey = sentenceKey(told.statement);
    const quotes = claim.evidence.flatMap(({ n, quote, start, end }): ComparedQuote[] => {
      const source = keys.get(n);
      if (source === undefined) return [];
      return [{ source, quote, start, end, key: sentenceKey(quote), matter: contentStems(quote) }];
    });
    return {
      ...told,
      claim,
      statementKey,
      words: new Set(statementKey.split(' ')),
      quotes,
      sources: new Set(claim.citations.flatMap((n) => keys.get(n) ?? [])),
    };
  });
}

interface ClaimStatement {
  /** The quote if the report only frames it, else the sentence without citations and confidence words. */
  statement: string;
  verbatim: boolean;
  framed: boolean;
}

const CONFIDENCE_WORDS = new RegExp(` ?\\(${CONFIDENCE_REMARK}\\)`, 'g');
/** A bracket that may be a citation by number or address; addresses have neither brackets nor blanks. */
const CITATION = /(?<!\\)\s*\[([^[\]\s]+)\]/g;

/** The extractive engine frames quotes by position (`Doe also reports: “…”`), so the statement of such a claim is its first quote. */
function statementOf(claim: ReportClaim, report: Report): ClaimStatement {
  const sentence = plainSentence(claim.text, labelsOf(claim, report));
  const quote = claim.evidence[0]?.quote.replace(/\s+/g, ' ').trim() ?? '';
  const [key, quoteKey] = [sentenceKey(sentence), sentenceKey(quote)];
  const framed = capabilitiesOf(report.provenance.engine).framesQuotes && containsWords(key, quoteKey);
  return {
    statement: framed ? quote : sentence,
    verbatim: framed || (quoteKey !== '' && key === quoteKey),
    framed,
  };
}

function labelsOf({ citations }: ReportClaim, report: Report): ReadonlySet<string> {
  const cited = report.citations.filter(({ n }) => citations.includes(n));
  return new Set([...reportLabels({ ...report, citations: cited }).values()].map(String));
}

function plainSentence(text: string, labels: ReadonlySet<string>): string {
  const told = text
    .replace(CONFIDENCE_WORDS, '')
    .replace(CITATION, (mark, label: string) => (labels.has(label) ? '' : mark));
  // Reports of earlier versions have word joiners in addresses.
  return unescapeMarkdown(told)
    .replace(/\u2060/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** True if the words of `part` occur in a row in `key`; both are sentence keys. */
function containsWords(key: string, part: string): boolean {
  return part !== '' && ` ${key} `.includes(` ${part} `);
}

/** Minimum share of common words for two quotes from one place to be versions of one sentence. */
const MIN_SHARED_WORDS = 0.6;
/** Minimum share of common topic stems, and their minimum number, for quotes in different words. */
const MIN_SHARED_TOPIC = 0.5;
const MIN_TOPIC_STEMS = 2;
/** A shorter part of a sentence is a phrase. */
const MIN_WORDS = 4;

/** 1 for equal quotes of one source, less if one is part of the other, else 0. */
export function quoteSimilarity(a: ComparedQuote, b: ComparedQuote): number {
  if (a.source !== b.source) return 0;
  if (a.key === b.key) return 1;
  const [short, long] = a.key.length <= b.key.length ? [a.key, b.key] : [b.key, a.key];
  const words = short.split(' ').length;
  return words >= MIN_WORDS && containsWords(long, short) ? words / long.split(' ').length : 0;
}

export type Version = 'corrected' | 'reworded' | null;

/** `corrected`: another number or direction. `reworded`: other words, or most of the words at the same place. */
export function compareVersions(a: ComparedQuote, b: ComparedQuote): Version {
  if (a.source !== b.source) return null;
  if (a.key.split(' ').length >= MIN_WORDS && differInOneFigure(a.quote, b.quote)) return 'corrected';
  if (haveSameTopic(a, b)) {
    const figures = figureChanges(a.quote, b.quote).length;
    if (reversedEffect(a.quote, b.quote) !== null || figures === 1) return 'corrected';
    if (figures === 0) return 'reworded';
  }
  return a.start < b.end &&
    b.start < a.end &&
    sharedWords(a.key.split(' '), b.key.split(' ')) >= MIN_SHARED_WORDS
    ? 'reworded'
    : null;
}

/** True if the topic of one quote contains that of the other and is less than twice as large. */
export function haveSameTopic(a: ComparedQuote, b: ComparedQuote): boolean {
  const [less, more] = [a.matter, b.matter].sort((one, other) => one.size - other.size);
  if (less === undefined || more === undefined || less.size < MIN_TOPIC_STEMS) return false;
  return less.size / more.size > MIN_SHARED_TOPIC && [...less].every((stem) => more.has(stem));
}

/** Jaccard similarity of the words, 0–1. */
export function sharedWords(a: Iterable<string>, b: Iterable<string>): number {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** A number as shown (`38 minutes`, `p = 0.01`) with its kind. */
interface Figure {
  text: string;
  /** Unit and name, so that minutes are compared with minutes. */
  sort: string;
  value: number;
}

export interface FigureChange {
  before: string | null;
  after: string | null;
}

const COUNTED_AFTER = /^( \p{L}+)( \p{L}+)?/u;
const NUMBER_TOKEN = /(?:- )?\p{N}+(?:\.\p{N}+)*/gu;
const NAME_BEFORE = /\b(?:p|n|OR|RR|HR|CI|SD)\s?[=<>≤≥]\s?$/i;

/** Numbers that only one text has, paired by kind in their order. */
export function figureChanges(before: string, after: string): FigureChange[] {
  const [removed, added] = [figuresIn(before), figuresIn(after)];
  for (const figure of [...removed]) {
    const at = added.findIndex(({ sort, value }) => sort === figure.sort && value === figure.value);
    if (at < 0) continue;
    added.splice(at, 1);
    removed.splice(removed.indexOf(figure), 1);
  }
  const changes = removed.map((figure): FigureChange => {
    const at = added.findIndex(({ sort }) => sort === figure.sort);
    const [partner] = at < 0 ? [] : added.splice(at, 1);
    return { before: figure.text, after: partner?.text ?? null };
  });
  return [...changes, ...added.map(({ text }) => ({ before: null, after: text }))];
}

export function differOnlyInFigures(before: string, after: string): boolean {
  const [one, other] = [before, after].map((text) => sentenceKey(text).replace(NUMBER_TOKEN, '#'));
  return one === other;
}

/** Different results of one study differ in more than one number: another dose or time has another figure. */
function differInOneFigure(before: string, after: string): boolean {
  if (!differOnlyInFigures(before, after)) return false;
  const [left, right] = [before, after].map((text) => sentenceKey(text).match(NUMBER_TOKEN) ?? []);
  return left?.filter((number, at) => number !== right?.[at]).length === 1;
}

function figuresIn(text: string): Figure[] {
  const plain = text.replace(/\s/g, ' ');
  return numbersIn(plain).map(({ value, unit, start, end, endOfUnit, isWord, isDate }) => {
    const name = NAME_BEFORE.exec(plain.slice(Math.max(0, start - 8), start))?.[0].trim() ?? '';
    const isCount = unit === '' && name === '' && !isWord && !isDate;
    const counted = isCount ? countedAfter(plain.slice(end, end + 40)) : '';
    const sort = unit === '' ? `${name} ${stemOf(tokensOf(counted).at(-1) ?? '')}` : unit;
    return { text: `${name} ${plain.slice(start, endOfUnit)}${counted}`.trim(), sort, value };
  });
}

/** ` farms`; for `24 office workers` both words, because the first alone counts nothing. */
function countedAfter(text: string): string {
  const [, first = '', second = ''] = COUNTED_AFTER.exec(text) ?? [];
  if (STOP_WORDS.has(first.trim().toLowerCase())) return '';
  return first.endsWith('s') || STOP_WORDS.has(second.trim().toLowerCase()) ? first : first + second;
}

const EFFECT_TEXTS: Readonly<Record<Effect, string>> = {
  more: 'an increase',
  less: 'a decrease',
  better: 'an improvement',
  worse: 'a deterioration',
  none: 'no significant effect or difference',
};

/** Opposite effects of two versions of a statement, in words; null if only a negation was added or removed. */
export interface ReversedEffect {
  before: string | null;
  after: string | null;
}

export function reversedEffect(before: string, after: string): ReversedEffect | null {
  const [ones, others] = [effectsIn(before), effectsIn(after)];
  const at = ones.findIndex((effect, index) => effect !== others[index]);
  const [one, other] = [ones[at], others[at]];
  if (one !== undefined && other !== undefined) {
    return areOpposed(one, other) ? { before: EFFECT_TEXTS[one], after: EFFECT_TEXTS[other] } : null;
  }
  return ones.length === others.length && (negationsIn(before) + negationsIn(after)) % 2 === 1
    ? { before: null, after: null }
    : null;
}

function effectsIn(text: string): Effect[] {
  const effects = reportedEffects(text);
  return effects.length === 0 && reportsNoEffect(text) ? ['none'] : effects;
}
