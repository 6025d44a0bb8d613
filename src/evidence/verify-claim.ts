import type { ClaimVerdict, Evidence } from '../contracts/finding';
import { isUnspaced, tokensOf } from '../text/sentences';
import { abbreviationKey, abbreviationsIn, stemOf, STOP_WORDS, terms } from '../text/words';
import { type CloseComparison, compareClosely, keyOf } from './claim-alignment';
import {
  type ClaimMaterial,
  type PreparedPassages,
  preparePassages,
  shareBeside,
  sharedBeside,
  type SharedWords,
  sharedWords,
  type Window,
  windowsOf,
} from './claim-passages';
import {
  absentNumbers,
  isSameAmount,
  type NumberedSentence,
  numberedTexts,
  type StatementToken,
  statementTokens,
} from './claim-tokens';
import { bearingScoreOn } from './support-score';

/** A claim against the passages that it cites; for many claims on the same sources there is `createVerifier`. Pure. */
export function verifyClaim(
  claim: string,
  { cited, others = [], attribution, definitions }: ClaimMaterial,
): ClaimVerdict {
  const prepared = preparePassages([...cited, ...others], definitions);
  return verifyPrepared(claim, prepared, { cited: cited.map((_, at) => at), attribution });
}

const ALL_CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]+$/u;

const SHORTEST_INITIALS = 3;

const LONGEST_INITIALS = 6;

/** A run of capitals, figures joined to letters, or a word with a capital, with what a hyphen joins to it. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:[-‐‑/][\p{L}\p{M}\p{N}]+(?:\.\p{N}+)?)*/gu;

const SENTENCE_START = /(?:^|[.!?:;•"“‘'(*]\s*|[-–—]\s+)$/;

/** Behind a number stands its unit. */
const AFTER_NUMBER = /[\p{N}^)]\s?$/u;

const TWO_CAPITALS = /\p{Lu}.*\p{Lu}/u;

/** From this share of capitalised words on, a line is a title, in which a capital says nothing. */
const TITLE = 0.6;

const BEFORE = /(?:^|[.!?:;。！？；：…\n|•"“(\]]\s*|\s[-*]\s+)$/u;

const AFTER = /^["”’)\]]*(?:$|\s*[.!?;:。！？；：…\n|"”([]|\s*$)/u;

const AROUND = 8;

export interface Citing {
  /** Places in `prepared.passages`. */
  cited: readonly number[];
  /** Authors, dates and titles of what it cites. */
  attribution: readonly string[];
}

const FEWEST_WORDS = 3;
const COMPARED_SENTENCES = 3;
/** Of what a claim says besides an absent name so much must stand in one place: else the name may be told in other words too. */
const LEAST_REST = 0.25;
/** A name is one of the subject where another source says so much of a claim around it, and nearly as much as what is cited. */
const SUBJECT_SHARE = 0.2;
const OF_CITED_SHARE = 0.7;
/** Below it most claims are not borne: chosen on WiCE and the studies. */
const UNLIKELY = 0.12;

export function verifyPrepared(claim: string, prepared: PreparedPassages, citing: Citing): ClaimVerdict {
  const cited = new Set(citing.cited);
  const texts = citing.cited.flatMap((passage) => {
    const text = prepared.passages[passage]?.text ?? '';
    return text.trim() === '' ? [] : [{ passage, text }];
  });
  if (texts.length === 0) return unchecked('no-passage', 'The text of what it cites is not there.');
  const substance = statementTokens(claim).filter(({ kind }) => kind !== 'negator');
  if (substance.length < FEWEST_WORDS)
    return unchecked('too-short', 'It has fewer than three words that could be compared.');
  const shared = sharedWords(claim, prepared);
  const windows = windowsOf(shared, prepared, (passage) => cited.has(passage));
  const [best] = windows;
  const lookedAt = best === undefined ? null : windowEvidence(best, prepared);
  const indexed = texts.map(({ passage }) => prepared.indexedPassage(passage));
  const probability = bearingScoreOn(claim, indexed);
  const verbatim = verbatimPlace(claim, texts);
  if (verbatim !== null) {
    const evidence = evidenceAt(prepared, verbatim.passage, verbatim.start, verbatim.end);
    return { ...SAME_WORDS, evidence, probability };
  }
  const known = new Set(citing.attribution.flatMap((text) => statementTokens(text).map(keyOf)));
  const compared = bestSentences(windows).map((sentence) => ({
    sentence,
    statements: prepared.statementsOf(sentence),
  }));
  const names = namesIn(prepared, citing, shared, windows);
  const isHeld = ({ number, stem, text }: StatementToken): boolean =>
    number === null
      ? names.holdersOf(stem).length > 0 || names.hasWordLike(text)
      : citedSentences(prepared, citing.cited).some((at) =>
          prepared.numbersOf(at).some((held) => isSameAmount(number, held.number)),
        );
  const close = closeVerdict(compareClosely(claim, compared, known, isHeld), prepared);
  if (close !== null) return { ...close, probability };
  const found = { evidence: lookedAt, probability };
  // What is known of numbers and names is known of scripts that part words by spaces.
  if (!isUnspaced(claim)) {
    const [number] = absentNumbersOf(claim, prepared, citing, windows);
    if (number !== undefined) {
      const reason = `“${number}” stands nowhere in what it cites.`;
      return { ...found, verdict: 'unsupported', code: 'number-absent', reason };
    }
    const name = absentNames(claim, names).find(
      (absent) => shareBeside(terms(absent), shared, windows) >= LEAST_REST,
    );
    if (name !== undefined) {
      const reason = `What it cites does not name “${name}”.`;
      return { ...found, verdict: 'partial', code: 'name-absent', reason };
    }
  }
  if (probability < UNLIKELY) {
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

function unchecked(code: 'no-passage' | 'too-short', reason: string): ClaimVerdict {
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

function bestSentences(windows: readonly Window[]): number[] {
  return [...windows]
    .sort((a, b) => b.own - a.own || b.share - a.share)
    .slice(0, COMPARED_SENTENCES)
    .map(({ sentence }) => sentence);
}

function absentNumbersOf(
  claim: string,
  prepared: PreparedPassages,
  { cited, attribution }: Citing,
  windows: readonly Window[],
): string[] {
  const numbered = (sentence: number): NumberedSentence => ({
    text: prepared.textOf(sentence),
    numbers: prepared.numbersOf(sentence),
  });
  const all = citedSentences(prepared, cited).map(numbered);
  return absentNumbers(claim, [...all, ...numberedTexts(attribution)], bestSentences(windows).map(numbered));
}

function namesIn(
  prepared: PreparedPassages,
  { cited, attribution }: Citing,
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
      sharedBeside(stem, shared, prepared) >=
      Math.max(SUBJECT_SHARE, OF_CITED_SHARE * shareBeside([stem], shared, windows)),
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

/** What stands between the parts of a name, or nothing: `GPT-3`, `GPT 3` and `GPT3`, `CommonCrawl` and `Common Crawl`. */
const JOINT = String.raw`[\s\-‐‑–/]?`;
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/** A shorter name is a part of too many words, and in small letters another word: `US`. */
const SHORTEST_PART = 4;

/** Whether a text has a name as it is written, however its parts are joined there. */
function isWrittenIn(name: string, texts: readonly string[]): boolean {
  const parts = name.match(PART) ?? [];
  if (parts.length === 0) return false;
  const isShort = parts.join('').length < SHORTEST_PART;
  const behind = isShort ? String.raw`s?(?![\p{L}\p{N}])` : '';
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${parts.join(JOINT)}${behind}`,
    isShort ? 'u' : 'iu',
  );
  return texts.some((text) => pattern.test(text));
}

/** Where a claim stands in a passage word for word; places in the passage's text. */
interface VerbatimPlace {
  passage: number;
  start: number;
  end: number;
}

/**
 * The first place where the claim stands as a sentence of its own, as it is written but for white space; null where it is only
 * a part of one, of which the rest may take it back.
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
    const exact = /\s{2}|[\n\t]/.test(text) ? placeOf(pieces, text) : plainPlace(pieces.join(' '), text);
    if (exact !== null) return { passage, ...exact };
  }
  return null;
}

type Place = Omit<VerbatimPlace, 'passage'>;

function plainPlace(wanted: string, text: string): Place | null {
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (standsAlone(text, start, end)) return { start, end };
  }
  return null;
}

/** White space may be of any kind and length between the pieces. */
function placeOf(pieces: readonly string[], text: string): Place | null {
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
    if (isHere && standsAlone(text, start, end)) return { start, end };
  }
  return null;
}

function standsAlone(text: string, start: number, end: number): boolean {
  return (
    BEFORE.test(text.slice(Math.max(0, start - AROUND), start)) && AFTER.test(text.slice(end, end + AROUND))
  );
}

interface NameLookup {
  /** The sentences that hold the stem, of those that count. */
  readonly holdersOf: (stem: string) => readonly number[];
  /** Whether a word begins so, in what counts. */
  readonly hasWordLike: (word: string) => boolean;
  /** Whether the name stands in what counts as it is written, however its parts are joined there. */
  readonly isWritten: (name: string) => boolean;
  /** Whether another source names it where it says much of the same, so that it is a word of the subject. */
  readonly isOfSubject: (stem: string) => boolean;
  /** What any source shortens so, in full. */
  readonly longFormOf: (abbreviation: string) => readonly string[] | undefined;
}

/** The names of a claim that stand nowhere, neither as written nor in a form of the word, nor shortened, nor in full. */
function absentNames(claim: string, lookup: NameLookup): string[] {
  const own = abbreviationsIn(claim);
  return [...new Set(claimedNames(claim))].filter(
    (name) => !own.has(abbreviationKey(name)) && !isHeld(name, lookup) && !isShortened(name, claim, lookup),
  );
}

/** Of `LLM-based` and `IL-6` what is written like a name; its parts stand in one sentence. */
function isHeld(name: string, lookup: NameLookup): boolean {
  if (lookup.isWritten(name)) return true;
  const parts = name
    .split(/[-‐‑/]/)
    .filter((part) => /[\p{Lu}\p{N}]/u.test(part))
    // The `ME` of `ME-3` is no stop word.
    .flatMap((part, _, { length }) =>
      tokensOf(part).filter((token) => !STOP_WORDS.has(token) || (length > 1 && ALL_CAPITALS.test(part))),
    );
  const missing = parts.filter((part) => !isPartHeld(part, lookup));
  if (missing.length > 0) return false;
  const [first, ...rest] = parts
    .map((part) => lookup.holdersOf(stemOf(part)))
    .filter((held) => held.length > 0);
  return first === undefined || first.some((sentence) => rest.every((held) => held.includes(sentence)));
}

function isPartHeld(part: string, lookup: NameLookup): boolean {
  const stem = stemOf(part);
  if (lookup.holdersOf(stem).length > 0 || lookup.hasWordLike(part) || lookup.isOfSubject(stem)) return true;
  const inFull = lookup.longFormOf(abbreviationKey(part));
  return inFull !== undefined && inFull.every((word) => STOP_WORDS.has(word) || isWordHeld(word, lookup));
}

function isWordHeld(word: string, lookup: NameLookup): boolean {
  return lookup.holdersOf(stemOf(word.toLowerCase())).length > 0 || lookup.hasWordLike(word.toLowerCase());
}

/** `World Health Organization` where the passages say WHO. */
function isShortened(name: string, claim: string, lookup: NameLookup): boolean {
  const words = (claim.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const at = words.indexOf(/[\p{L}\p{N}]+/u.exec(name)?.[0] ?? '');
  for (let from = Math.max(0, at - LONGEST_INITIALS + 1); from <= at; from += 1) {
    for (let to = Math.max(at + 1, from + SHORTEST_INITIALS); to <= from + LONGEST_INITIALS; to += 1) {
      const initials = words.slice(from, to).map((word) => word.charAt(0).toLowerCase());
      if (initials.length >= SHORTEST_INITIALS && lookup.holdersOf(stemOf(initials.join(''))).length > 0)
        return true;
    }
  }
  return false;
}

function attributedStems(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(terms));
}

/** The names of a claim as they are written: within the sentence what begins with a capital, anywhere what has more of them, or figures. */
function claimedNames(claim: string): string[] {
  const words = [...claim.matchAll(WORD)];
  const long = words.filter(([word]) => word.length > 3);
  const capitalised = long.filter(([word]) => /^\p{Lu}/u.test(word)).length;
  const isTitle = long.length > 3 && capitalised / long.length > TITLE;
  return words.flatMap(({ 0: word, index }) => {
    const plain = word.replace(/['’]s$/, '');
    if (AFTER_NUMBER.test(claim.slice(0, index))) return [];
    if (TWO_CAPITALS.test(plain) || /^\p{Lu}.*\p{N}/u.test(plain)) return plain.length > 1 ? [plain] : [];
    if (isTitle || plain.length < 2 || !/^\p{Lu}/u.test(plain)) return [];
    if (SENTENCE_START.test(claim.slice(0, index)) || STOP_WORDS.has(plain.toLowerCase())) return [];
    return [plain];
  });
}
