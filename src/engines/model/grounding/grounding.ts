import { hasEncodedText } from '../../../core/text/encoded-text';
import { tokensOf } from '../../../language/tokens';
import { isAskingWord, isReporting } from '../../../language/word-weight';
import { isEnglish } from '../../../language/is-english';
import { terms } from '../../../language/words';
import { givesOrder } from './asserts-nothing';
import { numbersInWords } from './number-words';
import { createOrderedWords, type OrderedWords } from './ordered-words';

export interface Grounding {
  /** Numbers, and words in capitals, that stand nowhere in the material; words that stand only in orders that it gives. */
  strangers(text: string): string[];
  /** Those of them that stand only in orders: who uses them has obeyed. */
  ordered(text: string): string[];
  /** How much of the text's content words the material has, 0–1; 1 for a text without any. `besides` says which do not count. */
  share(text: string, besides?: (stem: string) => boolean): number;
  isEnglish(): boolean;
}

const NUMBER = /\p{N}+(?:[.,·]\p{N}+)*|(?<![\p{L}\p{N}])[.·]\p{N}+/gu;
/** Shorter ones are abbreviations that any writer uses: RCT, BMI, USA. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{5,}(?![\p{L}\p{N}])/gu;

/**
 * What a grounding needs is made of the texts when it is first asked for: most questions are about numbers alone. `ordered`
 * finds the words of orders in all that the model has read, where that is more than the texts.
 */
export function createGrounding(
  texts: readonly string[],
  ordered: OrderedWords = createOrderedWords(texts),
): Grounding {
  const numbers = once(
    () =>
      new Set(
        // Text taken from a PDF may have `3, 154`, which may be one number or two.
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

/** The numbers of a text, each in one form: `1,234` and `1234`, `0.50` and `.5` and `0·5` are the same. */
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

/** A free text keeps to what was read where so many of its content words come from there. */
const LEAST_BORNE = 0.3;

/** Whether a text has a number or a name in capitals that stands nowhere, follows an order, or hides something. */
export function bringsIn(text: string, grounding: Grounding): boolean {
  return grounding.strangers(text).length > 0 || hasEncodedText(text) || givesOrder(text);
}

/**
 * Whether a text that may choose its own words (a theme, a question) keeps to the material: nothing in it that stands
 * nowhere, and, where both are English, words that are mostly the material's.
 */
export function isBorne(text: string, grounding: Grounding): boolean {
  if (bringsIn(text, grounding)) return false;
  return !isEnglish(text) || !grounding.isEnglish() || grounding.share(text) >= LEAST_BORNE;
}

/**
 * Whether a line that stands in a report without a citation (a title, a heading, a reason) only has words that the material
 * has, besides those that tell of sources and of questions.
 */
export function isHeld(text: string, grounding: Grounding): boolean {
  if (!isBorne(text, grounding)) return false;
  return !grounding.isEnglish() || grounding.share(text, tellsOfSources) === 1;
}

/** Whether a question for what no source says obeys none of them: its words and numbers may stand nowhere. */
export function isOpenQuestion(text: string, grounding: Grounding): boolean {
  // “Do the results …?” begins as an order does.
  const said = text.endsWith('?') ? `whether ${text}` : text;
  return grounding.ordered(text).length === 0 && !hasEncodedText(text) && !givesOrder(said);
}

function tellsOfSources(stem: string): boolean {
  return isReporting(stem) || isAskingWord(stem);
}
