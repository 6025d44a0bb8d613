import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { Evidence } from '../contracts/report/finding';
import { isUnspaced } from '../language/tokens';
import { terms } from '../language/words';
import { absentNames, attributedStems, type NameLookup } from './absent-names';
import { absentNumbers, numberedTexts, type NumberedSentence } from './absent-numbers';
import { type CloseComparison, compareClosely } from './compare-closely';
import { keyOf } from './closeness';
import type { PreparedPassages } from './prepared-passages';
import { isSameAmount } from './same-amount';
import { bearingScoreOn } from './score/bearing-score';
import {
  shareBeside,
  sharedBeside,
  type SharedWords,
  sharedWords,
  type Window,
  windowsOf,
} from './shared-words';
import { type StatementToken, statementTokens } from './statement-tokens';
import { verbatimPlace } from './verbatim';

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
