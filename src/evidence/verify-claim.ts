import type { ClaimVerdict, Evidence } from '../contracts/finding';
import { isUnspaced, tokensOf } from '../text/sentences';
import { abbreviationKey, abbreviationsIn, stemOf, STOP_WORDS, terms } from '../text/words';
import { type CloseComparison, compareClosely, tokenKey } from './claim-alignment';
import {
  type ClaimMaterial,
  maxShareAround,
  maxShareWithout,
  type PreparedPassages,
  preparePassages,
  type SharedWords,
  sharedWords,
  type Window,
  windowsOf,
} from './claim-passages';
import {
  absentNumbers,
  HYPHEN_MINUS,
  isSameAmount,
  type NumberedSentence,
  type StatementToken,
  statementTokens,
  withNumbers,
  withPlainSigns,
} from './claim-tokens';
import { supportScoreOn } from './support-score';
import { compareWithRow } from './table-rows';

/** For many claims on the same sources use `createVerifier`. */
export function verifyClaim(
  claim: string,
  { cited, others = [], attribution, definitions }: ClaimMaterial,
): ClaimVerdict {
  const prepared = preparePassages([...cited, ...others], definitions);
  return verifyPrepared(claim, prepared, { cited: cited.map((_, at) => at), attribution });
}

export interface ClaimCitations {
  cited: readonly number[];
  attribution: readonly string[];
}

const MIN_WORDS = 3;
const COMPARED_SENTENCES = 3;
/**
 * A missing name counts only if one place has this share of the claim's other words. Below it, the whole claim may
 * be paraphrased.
 */
const MIN_REST_SHARE = 0.25;
/**
 * A name belongs to the subject if a place with the name has this share of the claim, and at least
 * `MIN_CITED_RATIO` of the share in the cited passages.
 */
const SUBJECT_SHARE = 0.2;
const MIN_CITED_RATIO = 0.7;
/**
 * Support probability below which most claims are unsupported; chosen on WiCE and the studies
 * (docs/evaluation.md).
 */
const UNLIKELY_BELOW = 0.12;

export function verifyPrepared(
  claim: string,
  prepared: PreparedPassages,
  citing: ClaimCitations,
): ClaimVerdict {
  const cited = new Set(citing.cited);
  const texts = citing.cited.flatMap((passage) => {
    const text = prepared.passages[passage]?.text ?? '';
    return text.trim() === '' ? [] : [{ passage, text }];
  });
  if (texts.length === 0) return uncheckedVerdict('no-passage', 'The text of what it cites is not there.');
  const substance = statementTokens(claim).filter(({ kind }) => kind !== 'negator');
  if (substance.length < MIN_WORDS)
    return uncheckedVerdict('too-short', 'It has fewer than three words that could be compared.');
  const shared = sharedWords(claim, prepared);
  const windows = windowsOf(shared, prepared, (passage) => cited.has(passage));
  const [best] = windows;
  const lookedAt = best === undefined ? null : windowEvidence(best, prepared);
  const indexed = texts.map(({ passage }) => prepared.indexedPassage(passage));
  const probability = supportScoreOn(claim, indexed);
  const verbatim =
    verbatimPlace(claim, texts) ??
    verbatimPlace(
      withPlainSigns(claim),
      texts.map(({ passage, text }) => ({ passage, text: text.replace(HYPHEN_MINUS, '−') })),
    );
  if (verbatim !== null) {
    const evidence = evidenceAt(prepared, verbatim.passage, verbatim.start, verbatim.end);
    return { ...SAME_WORDS, evidence, probability };
  }
  const known = new Set(citing.attribution.flatMap((text) => statementTokens(text).map(tokenKey)));
  const compared = bestSentences(windows).map((sentence) => ({
    sentence,
    statements: prepared.statementsOf(sentence),
  }));
  const names = createNameLookup(prepared, citing, shared, windows);
  const isHeld = ({ number, stem, text }: StatementToken): boolean =>
    number === null
      ? names.holdersOf(stem).length > 0 || names.hasWordLike(text)
      : citedSentences(prepared, citing.cited).some((at) =>
          prepared.numbersOf(at).some((held) => isSameAmount(number, held.number)),
        );
  const close = closeVerdict(compareClosely(claim, compared, known, isHeld), prepared);
  if (close !== null) return { ...close, probability };
  const found = { evidence: lookedAt, probability };
  // Numbers and names are recognised only in scripts with spaces.
  if (!isUnspaced(claim)) {
    const [number] = absentNumbersOf(claim, prepared, citing, windows);
    if (number !== undefined) {
      const reason = `“${number}” stands nowhere in what it cites.`;
      return { ...found, verdict: 'unsupported', code: 'number-absent', reason };
    }
    const ofRow = rowVerdict(claim, prepared, windows);
    if (ofRow !== null) return { ...ofRow, probability };
    const name = absentNames(claim, names).find(
      (absent) => maxShareWithout(terms(absent), shared, windows) >= MIN_REST_SHARE,
    );
    if (name !== undefined) {
      const reason = `What it cites does not name “${name}”.`;
      return { ...found, verdict: 'partial', code: 'name-absent', reason };
    }
  }
  if (probability < UNLIKELY_BELOW) {
    const reason = 'Hardly any of what it says is said in what it cites.';
    return { ...found, verdict: 'unsupported', code: 'unlikely', reason };
  }
  const reason = 'What it cites is about the same, but words alone cannot tell whether it says so.';
  return { ...found, verdict: 'unchecked', code: 'open', reason };
}

const SAME_WORDS = {
  verdict: 'supported',
  code: 'same-words',
  reason: 'It keeps to the words of what it cites.',
} as const;

function uncheckedVerdict(code: 'no-passage' | 'too-short', reason: string): ClaimVerdict {
  return { verdict: 'unchecked', code, reason, evidence: null, probability: null };
}

const EXCHANGE_CODES = {
  number: 'number-exchanged',
  name: 'name-exchanged',
  contrary: 'contrary',
  negation: 'negation',
} as const;

function closeVerdict(
  compared: CloseComparison,
  prepared: PreparedPassages,
): Omit<ClaimVerdict, 'probability'> | null {
  if (compared.says === 'nothing') return null;
  const evidence = sentenceEvidence(compared.sentences[0] ?? 0, prepared);
  if (compared.says === 'same') return { ...SAME_WORDS, evidence };
  const { kind, reason } = compared.exchange;
  return { verdict: 'contradicted', code: EXCHANGE_CODES[kind], reason, evidence };
}

function bestSentences(windows: readonly Window[], most = COMPARED_SENTENCES): number[] {
  return [...windows]
    .sort((a, b) => b.own - a.own || b.share - a.share)
    .slice(0, most)
    .map(({ sentence }) => sentence);
}

/** Rows of a table share most of their words, so that more of them are compared. */
const COMPARED_ROWS = 12;

function rowVerdict(
  claim: string,
  prepared: PreparedPassages,
  windows: readonly Window[],
): Omit<ClaimVerdict, 'probability'> | null {
  for (const sentence of bestSentences(windows, COMPARED_ROWS)) {
    const compared = compareWithRow(claim, prepared.textOf(sentence));
    if (compared === null) continue;
    const evidence = sentenceEvidence(sentence, prepared);
    if (compared.says === 'same') return { ...SAME_WORDS, evidence };
    return { verdict: 'contradicted', code: 'number-exchanged', reason: compared.reason, evidence };
  }
  return null;
}

function absentNumbersOf(
  claim: string,
  prepared: PreparedPassages,
  { cited, attribution }: ClaimCitations,
  windows: readonly Window[],
): string[] {
  const numbered = (sentence: number): NumberedSentence => ({
    text: prepared.textOf(sentence),
    numbers: prepared.numbersOf(sentence),
  });
  const all = citedSentences(prepared, cited).map(numbered);
  return absentNumbers(claim, [...all, ...withNumbers(attribution)], bestSentences(windows).map(numbered));
}

function createNameLookup(
  prepared: PreparedPassages,
  { cited, attribution }: ClaimCitations,
  shared: SharedWords,
  windows: readonly Window[],
): NameLookup {
  const attributed = attributedStems(attribution);
  const inCited = new Set(cited);
  const texts = [...attribution, ...cited.map((passage) => prepared.passages[passage]?.text ?? '')];
  const isCited = (sentence: number): boolean => inCited.has(prepared.sentences[sentence]?.passage ?? -1);
  return {
    holdersOf: (stem) => (attributed.has(stem) ? [-1] : prepared.holdersOf(stem).filter(isCited)),
    isWritten: (name) => isWrittenIn(name, texts),
    hasWordLike: (word) => cited.some((passage) => prepared.hasWordLike(passage, word)),
    isOfSubject: (stem) =>
      maxShareAround(stem, shared, prepared) >=
      Math.max(SUBJECT_SHARE, MIN_CITED_RATIO * maxShareWithout([stem], shared, windows)),
    longFormOf: prepared.longFormOf,
  };
}

function citedSentences({ firstSentences }: PreparedPassages, cited: readonly number[]): number[] {
  return cited.flatMap((passage) => {
    const [from, to] = [firstSentences[passage] ?? 0, firstSentences[passage + 1] ?? 0];
    return Array.from({ length: to - from }, (_, at) => from + at);
  });
}

function windowEvidence({ passage, first, last }: Window, prepared: PreparedPassages): Evidence | null {
  return evidenceAt(
    prepared,
    passage,
    prepared.sentences[first]?.start ?? 0,
    prepared.sentences[last]?.end ?? 0,
  );
}

function sentenceEvidence(sentence: number, prepared: PreparedPassages): Evidence | null {
  const placed = prepared.sentences[sentence];
  return placed === undefined ? null : evidenceAt(prepared, placed.passage, placed.start, placed.end);
}

function evidenceAt(
  { passages }: PreparedPassages,
  passage: number,
  start: number,
  end: number,
): Evidence | null {
  const of = passages[passage];
  const quote = of?.text.slice(start, end) ?? '';
  return of === undefined || quote === ''
    ? null
    : { sourceId: of.sourceId, quote, start: of.start + start, end: of.start + end };
}

/** Separator between the parts of a name: `GPT-3`, `GPT 3` and `GPT3`, `CommonCrawl` and `Common Crawl`. */
const NAME_SEPARATOR = String.raw`[\s\-‐‑–/]?`;
const NAME_PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/**
 * Shorter names, such as `US`, occur inside other words and as other words in lower case, so they must match
 * exactly.
 */
const MIN_NAME_LENGTH = 4;

function isWrittenIn(name: string, texts: readonly string[]): boolean {
  const parts = name.match(NAME_PART) ?? [];
  if (parts.length === 0) return false;
  const isShort = parts.join('').length < MIN_NAME_LENGTH;
  const behind = isShort ? String.raw`s?(?![\p{L}\p{N}])` : '';
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${parts.join(NAME_SEPARATOR)}${behind}`,
    isShort ? 'u' : 'iu',
  );
  return texts.some((text) => pattern.test(text));
}

interface VerbatimPlace {
  passage: number;
  start: number;
  end: number;
}

/**
 * The first place where a complete sentence equals the claim, except for white space. A part of a sentence does
 * not count, because the rest may negate it.
 */
function verbatimPlace(
  claim: string,
  passages: readonly { passage: number; text: string }[],
): VerbatimPlace | null {
  const wanted = claim.replace(/[\s.!?。！？…]+$/u, '').trim();
  if (wanted === '') return null;
  const pieces = wanted.split(/\s+/);
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one), '');
  for (const { passage, text } of passages) {
    if (!text.includes(longest)) continue;
    const exact = /\s{2}|[\n\t]/.test(text) ? spacedPlace(pieces, text) : plainPlace(pieces.join(' '), text);
    if (exact !== null) return { passage, ...exact };
  }
  return null;
}

type Place = Omit<VerbatimPlace, 'passage'>;

function plainPlace(wanted: string, text: string): Place | null {
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (isWholeSentence(text, start, end)) return { start, end };
  }
  return null;
}

function spacedPlace(pieces: readonly string[], text: string): Place | null {
  const [first = '', ...rest] = pieces;
  for (let start = text.indexOf(first); start >= 0; start = text.indexOf(first, start + 1)) {
    let end = start + first.length;
    const isHere = rest.every((piece) => {
      let at = end;
      while (/\s/.test(text.charAt(at))) at += 1;
      if (at === end || !text.startsWith(piece, at)) return false;
      end = at + piece.length;
      return true;
    });
    if (isHere && isWholeSentence(text, start, end)) return { start, end };
  }
  return null;
}

const SENTENCE_BEFORE = /(?:^|[.!?:;。！？；：…\n|•"“(\]]\s*|\s[-*]\s+)$/u;

const SENTENCE_AFTER = /^["”’)\]]*(?:$|\s*[.!?;:。！？；：…\n|"”([]|\s*$)/u;

const BOUNDARY_CHARS = 8;

function isWholeSentence(text: string, start: number, end: number): boolean {
  return (
    SENTENCE_BEFORE.test(text.slice(Math.max(0, start - BOUNDARY_CHARS), start)) &&
    SENTENCE_AFTER.test(text.slice(end, end + BOUNDARY_CHARS))
  );
}

interface NameLookup {
  readonly holdersOf: (stem: string) => readonly number[];
  readonly hasWordLike: (word: string) => boolean;
  readonly isWritten: (name: string) => boolean;
  /** True if a source uses it with similar words, so that it is a word of the subject. */
  readonly isOfSubject: (stem: string) => boolean;
  readonly longFormOf: (abbreviation: string) => readonly string[] | undefined;
}

const ALL_CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]+$/u;

const MIN_INITIALS = 3;

const MAX_INITIALS = 6;

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:[-‐‑/][\p{L}\p{M}\p{N}]+(?:\.\p{N}+)?)*/gu;

const SENTENCE_START = /(?:^|[.!?:;•"“‘'(*]\s*|[-–—]\s+)$/;

/** A word after a number is its unit. */
const AFTER_NUMBER = /[\p{N}^)]\s?$/u;

const TWO_CAPITALS = /\p{Lu}.*\p{Lu}/u;

/** Share of capitalised words from which a line is a title, where capitals mean nothing. */
const MIN_TITLE_SHARE = 0.6;

function absentNames(claim: string, lookup: NameLookup): string[] {
  const own = abbreviationsIn(claim);
  return [...new Set(claimedNames(claim))].filter(
    (name) =>
      !own.has(abbreviationKey(name)) && !isNameFound(name, lookup) && !isAbbreviated(name, claim, lookup),
  );
}

/** Compares the name-like parts of `LLM-based` and `IL-6`; they must occur in one sentence. */
function isNameFound(name: string, lookup: NameLookup): boolean {
  if (lookup.isWritten(name)) return true;
  const parts = name
    .split(/[-‐‑/]/)
    .filter((part) => /[\p{Lu}\p{N}]/u.test(part))
    // The `ME` of `ME-3` is no stop word.
    .flatMap((part, _, { length }) =>
      tokensOf(part).filter((token) => !STOP_WORDS.has(token) || (length > 1 && ALL_CAPITALS.test(part))),
    );
  const missing = parts.filter((part) => !isPartFound(part, lookup));
  if (missing.length > 0) return false;
  const [first, ...rest] = parts
    .map((part) => lookup.holdersOf(stemOf(part)))
    .filter((held) => held.length > 0);
  return first === undefined || first.some((sentence) => rest.every((held) => held.includes(sentence)));
}

function isPartFound(part: string, lookup: NameLookup): boolean {
  const stem = stemOf(part);
  if (lookup.holdersOf(stem).length > 0 || lookup.hasWordLike(part) || lookup.isOfSubject(stem)) return true;
  const inFull = lookup.longFormOf(abbreviationKey(part));
  return inFull !== undefined && inFull.every((word) => STOP_WORDS.has(word) || isWordFound(word, lookup));
}

function isWordFound(word: string, lookup: NameLookup): boolean {
  return lookup.holdersOf(stemOf(word.toLowerCase())).length > 0 || lookup.hasWordLike(word.toLowerCase());
}

/** `World Health Organization` if the passages have WHO. */
function isAbbreviated(name: string, claim: string, lookup: NameLookup): boolean {
  const words = (claim.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const at = words.indexOf(/[\p{L}\p{N}]+/u.exec(name)?.[0] ?? '');
  for (let from = Math.max(0, at - MAX_INITIALS + 1); from <= at; from += 1) {
    for (let to = Math.max(at + 1, from + MIN_INITIALS); to <= from + MAX_INITIALS; to += 1) {
      const initials = words.slice(from, to).map((word) => word.charAt(0).toLowerCase());
      if (initials.length >= MIN_INITIALS && lookup.holdersOf(stemOf(initials.join(''))).length > 0)
        return true;
    }
  }
  return false;
}

function attributedStems(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(terms));
}

/** Capitalised words within a sentence; words with several capitals or digits anywhere. */
function claimedNames(claim: string): string[] {
  const words = [...claim.matchAll(WORD)];
  const long = words.filter(([word]) => word.length > 3);
  const capitalised = long.filter(([word]) => /^\p{Lu}/u.test(word)).length;
  const isTitle = long.length > 3 && capitalised / long.length > MIN_TITLE_SHARE;
  return words.flatMap(({ 0: word, index }) => {
    const plain = word.replace(/['’]s$/, '');
    if (AFTER_NUMBER.test(claim.slice(0, index))) return [];
    if (TWO_CAPITALS.test(plain) || /^\p{Lu}.*\p{N}/u.test(plain)) return plain.length > 1 ? [plain] : [];
    if (isTitle || plain.length < 2 || !/^\p{Lu}/u.test(plain)) return [];
    if (SENTENCE_START.test(claim.slice(0, index)) || STOP_WORDS.has(plain.toLowerCase())) return [];
    return [plain];
  });
}
