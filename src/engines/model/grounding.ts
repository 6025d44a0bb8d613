import type { TextPart, TextStatement } from '../../contracts/draft';
import { comparableText, withoutEndMarks } from '../../evidence/quotations';
import { editText, plainText, statementsOf } from '../../evidence/written-text';
import { alternation, hasEncodedText, stripUnsafe } from '../../lib/untrusted-text';
import { spelledNumbers } from '../../text/numbers';
import { splitSentences, tokensOf } from '../../text/sentences';
import { isAskingWord, isEnglish, isReportingWord, STOP_WORDS, terms } from '../../text/words';
import elements from './data/html-elements.json';
import orders from './data/orders.json';

export interface Grounding {
  /** Numbers and capitalised words that the material lacks, and words that occur only in its instructions. */
  strangers(text: string): string[];
  /** Words that occur only in instructions of the material: a text with them follows these. */
  ordered(text: string): string[];
  /** Share of the text's content words in the material, 0–1; 1 for a text without any. `besides` excludes words. */
  share(text: string, besides?: (stem: string) => boolean): number;
  isEnglish(): boolean;
}

const NUMBER = /\p{N}+(?:[.,·]\p{N}+)*|(?<![\p{L}\p{N}])[.·]\p{N}+/gu;
/** Shorter ones are common abbreviations: RCT, BMI, USA. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{5,}(?![\p{L}\p{N}])/gu;

/** `ordered` is for prompts with more than `texts`. Word sets are built on first use: most checks only need numbers. */
export function createGrounding(
  texts: readonly string[],
  ordered: InjectedWords = createInjectedWords(texts),
): Grounding {
  const numbers = once(
    () =>
      new Set(
        // PDF text may have `3, 154`, which is one number or two.
        texts.flatMap((text) => [
          ...numbersIn(text),
          ...numbersIn(text.replace(/(?<=\d), (?=\d{3}(?!\d))/g, ',')),
          ...numbersInWords(text).map(String),
        ]),
      ),
  );
  const known = once(() => new Set(texts.flatMap(tokensOf)));
  const stems = once(() => new Set(texts.flatMap(terms)));
  const english = once(() => isEnglish(texts.join('\n').slice(0, LANGUAGE_SAMPLE_CHARS)));
  return {
    isEnglish: english,
    ordered,
    strangers: (text) => [
      ...numbersIn(text).filter((number) => !numbers().has(number)),
      ...[...text.matchAll(CAPITALS)]
        .map(([word]) => word)
        .filter((word) => !known().has(word.toLowerCase())),
      ...ordered(text),
    ],
    share(text, besides = () => false) {
      const own = [...new Set(terms(text))].filter((stem) => !besides(stem));
      return own.length === 0 ? 1 : own.filter((stem) => stems().has(stem)).length / own.length;
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Normalises numbers: `1,234` and `1234` are equal, as are `0.50`, `.5` and `0·5`. */
export function numbersIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(NUMBER)].map(([written]) => {
    const plain = written.replace(/·/g, '.');
    const point = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)
      ? plain.replace(/,/g, '')
      : plain.replace(/,/g, '.');
    const value = Number(point);
    return Number.isNaN(value) ? point : `${value}`;
  });
}

const LANGUAGE_SAMPLE_CHARS = 20_000;

const MIN_GROUNDED_SHARE = 0.3;

/** Numbers, capitalised names, instructions and hidden text count. */
export function addsUngrounded(text: string, grounding: Grounding): boolean {
  return grounding.strangers(text).length > 0 || hasEncodedText(text) || isInstruction(text);
}

/** For free text (a theme, a question): nothing brought in and, if both are English, enough shared words. */
export function isGrounded(text: string, grounding: Grounding): boolean {
  if (addsUngrounded(text, grounding)) return false;
  return !isEnglish(text) || !grounding.isEnglish() || grounding.share(text) >= MIN_GROUNDED_SHARE;
}

/** For uncited lines (a title, a heading, a reason): no content words except the material's and those about sources. */
export function isFullyGrounded(text: string, grounding: Grounding): boolean {
  if (!isGrounded(text, grounding)) return false;
  return !grounding.isEnglish() || grounding.share(text, isSourceWord) === 1;
}

/** Its words and numbers may be new, but it must not follow a source's instruction. */
export function isSafeQuestion(text: string, grounding: Grounding): boolean {
  // “Do the results …?” begins like an instruction.
  const said = text.endsWith('?') ? `whether ${text}` : text;
  return grounding.ordered(text).length === 0 && !hasEncodedText(text) && !isInstruction(said);
}

function isSourceWord(stem: string): boolean {
  return isReportingWord(stem) || isAskingWord(stem);
}

const IMAGE = /!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
/** HTML tags only; `Array<string>` in a text about code is not one. */
const TAG = new RegExp(String.raw`<!--.*?(?:-->|$)|</?(?:${elements.names.join('|')})\b[^>]*>`, 'gis');
const ADDRESS = alternation(
  [
    /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|data:[a-z]+\/|javascript:(?=\S)|www\.)[^\s<>]*>?/,
    /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  ],
  'gi',
);
const CITATION_MARKS = /\[(?:@[^\]]*|[SF]\s?\d+(?:\s*[,;]\s*[SF]?\s?\d+)*)\]/gi;

/** Removes Markdown, HTML, addresses and citations, for titles, claims and questions. */
export function plainLine(text: string): string {
  return stripUnsafe(text)
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(TAG, '')
    .replace(ADDRESS, '')
    .replace(CITATION_MARKS, '')
    .replace(/\*\*|__|^\s*#{1,6}\s+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[.,;:!?)\]])/g, '')
    .replace(/[([]\s*[)\]]/g, '')
    .trim();
}

export function shortLine(text: string, maxChars: number): string {
  const line = plainLine(text);
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > maxChars / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$|[\uD800-\uDBFF]$/, '')}…`;
}

/** Numbers in digits keep a word from this power of 10 on: `2 million`. */
const SPELLED_POWER = 6;

/** `twenty-four`, `a hundred`, `two million`. */
export function numbersInWords(text: string): number[] {
  return spelledNumbers(text)
    .filter(({ kind }) => kind !== 'fold')
    .flatMap(({ value, decimals }) =>
      -decimals >= SPELLED_POWER ? [value, value * 10 ** decimals] : [value],
    );
}

const ADDRESS_START = /\bhttps?:\/\/|\bwww\./i;

export interface ReadText {
  title: string;
  author?: string | undefined;
  passages: readonly { text: string }[];
}

/** True for text with an address, encoded text, or words that occur only in a source's instructions. */
export type InjectionCheck = (text: string) => boolean;

/** A sentence repeats a source with so many words in a row, and so large a share of its words. */
const MIN_COPIED_WORDS = 7;
const MIN_COPIED_SHARE = 0.6;

export function createSourceCopyCheck(sources: readonly ReadText[]): (text: string) => boolean {
  const quotable = sources.flatMap(({ passages }) => passages.map(({ text }) => comparableText(text).text));
  const isQuoted = (words: string): boolean => {
    const wanted = withoutEndMarks(comparableText(words).text);
    return quotable.some((text) => text.includes(wanted));
  };
  return (text) => {
    const words = text.split(/\s+/);
    const least = Math.max(MIN_COPIED_WORDS, Math.ceil(MIN_COPIED_SHARE * words.length));
    return words.some((_word, at) => {
      const run = words.slice(at, at + least);
      return run.length === least && isQuoted(run.join(' '));
    });
  };
}

export function createInjectionCheck(sources: readonly ReadText[]): InjectionCheck {
  const ordered = createInjectedWords(
    sources.flatMap(({ title, author = '', passages }) => [
      title,
      author,
      ...passages.map(({ text }) => text),
    ]),
  );
  return (text) => ADDRESS_START.test(text) || hasEncodedText(text) || ordered(text).length > 0;
}

/** Drops headings and statements that follow instructions, cited questions, and uncited copies of a source. */
export function removeInjected(
  markdown: string,
  { obeyed, repeatsSource }: { obeyed: InjectionCheck; repeatsSource: (text: string) => boolean },
): string {
  const lines = markdown.split('\n').filter((line) => !line.startsWith('#') || !obeyed(plainText(line)));
  const part: TextPart = { id: 'block', title: 'block', markdown: lines.join('\n').trim() };
  const statements = statementsOf(part).map((one, at): TextStatement => ({ ...one, id: `${at}` }));
  const edits = statements
    .filter(({ text, plain, sourceIds }) => {
      const isCited = sourceIds.length > 0;
      const isRow = text.startsWith('|');
      return obeyed(plain) || (isCited ? !isRow && containsQuestion(plain) : repeatsSource(plain));
    })
    .map(({ id }) => ({ statementId: id, text: '', reason: '' }));
  const block = {
    title: '',
    parts: [part],
    statements,
    notes: [],
    changes: [],
    removed: [],
    isChecked: false,
  };
  const rest = editText(block, edits).parts[0]?.markdown ?? '';
  return /\p{L}/u.test(plainText(rest)) ? rest : '';
}

const MIN_LETTERS = 4;
const ADDRESSES = /\b(?:https?:\/\/|www\.)[^\s<>()[\]]+/gi;
const SENTENCE_END = /[.!?]["'”’)\]]*\s|\n/g;

export type InjectedWords = (text: string) => string[];

/** Returns words that the material has only within instructions. Words that it lacks are the model's own. */
export function createInjectedWords(material: readonly string[]): InjectedWords {
  const known = new Map<string, boolean>();
  let joined: string | null = null;

  const isOrdered = (word: string): boolean => {
    joined ??= material.join('\n').replace(ADDRESSES, ' ').toLowerCase();
    let found = false;
    for (let at = joined.indexOf(word); at >= 0; at = joined.indexOf(word, at + word.length)) {
      if (!isInstruction(sentenceAround(joined, at))) return false;
      found = true;
    }
    return found;
  };
  return (text) =>
    [...new Set(tokensOf(text.replace(ADDRESSES, ' ')))].filter((word) => {
      if (word.length < MIN_LETTERS || STOP_WORDS.has(word)) return false;
      const ordered = known.get(word) ?? isOrdered(word);
      known.set(word, ordered);
      return ordered;
    });
}

const MAX_SENTENCE_CHARS = 600;

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_SENTENCE_CHARS), at);
  const behind = text.slice(at, at + MAX_SENTENCE_CHARS);
  const last = [...before.matchAll(SENTENCE_END)].at(-1);
  const next = behind.search(SENTENCE_END);
  return (
    (last === undefined ? before : before.slice(last.index + last[0].length)) +
    (next < 0 ? behind : behind.slice(0, next + 1))
  );
}

const QUESTION = /\?(?=[.!]?(?:\s|$))/;
const IN_QUOTES = /“[^”]*”|"[^"]*"|«[^»]*»/g;

/** A question in quotation marks does not count. */
export function containsQuestion(text: string): boolean {
  const own = text.replace(IN_QUOTES, '');
  return QUESTION.test(own) || (text.includes('?') && !/\p{L}/u.test(own));
}

const QUESTION_END = /\?["'”’)\]]*$/;

const MODEL_ADDRESSES = [
  /\b(?:your|the (?:next|final)) (?:response|reply|answer|output)\b/i,
  /\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}(?:instructions?|prompts?|rules|above|previous)\b/i,
  /\b(?:your|this|the above|my) system prompt\b/i,
  /\bas an? (?:ai|language model)\b|\byou are (?:now )?an? (?:ai|assistant|language model)\b/i,
];

/** Instructions to a writer begin with a verb. */
const INSTRUCTION = new RegExp(
  `^(?:please )?(?:(?:${orders.alone.join('|')})|(?:${orders.nounsToo.join('|')}) (?:${orders.objects.join('|')}))\\b`,
  'i',
);

const LINK_MARKS = /!?\[|\]\([^)\s]*\)?|\]/g;
const OPENING_MARKS = /^[\s"'“”‘’«»(){}*_#>~`-]+/u;

/** So many consecutive invisible characters are hidden text. */
const INVISIBLE_RUN = /\p{Default_Ignorable_Code_Point}{4}/u;

export function isInstruction(sentence: string): boolean {
  const plain = sentence.replace(LINK_MARKS, ' ').replace(OPENING_MARKS, '');
  return INSTRUCTION.test(plain) || MODEL_ADDRESSES.some((pattern) => pattern.test(plain));
}

/** One question, instruction or hidden text is enough, because the other sentences may serve it. */
export function lacksAssertion(text: string): boolean {
  return (
    INVISIBLE_RUN.test(text) ||
    hasEncodedText(text) ||
    splitSentences(text.replace(LINK_MARKS, ' ')).some(
      ({ text: sentence }) => QUESTION_END.test(sentence) || isInstruction(sentence),
    )
  );
}
