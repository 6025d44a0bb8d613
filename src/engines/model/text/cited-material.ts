import { comparableText, withoutEndMarks } from '../../../verification/quotes/comparable-text';
import type { Grounding } from '../grounding/grounding';
import type { TokenisedText } from '../markdown/citation-tokens';

export interface CitedMaterial {
  cites: 'source' | 'passage';
  grounding: Grounding;
  /** The same without what sources say of themselves: what is on nothing of it is on something else. */
  said: Grounding;
  /** Of the content words of a sentence that is to be asked for once more, with a citation, so many stand in it, 0–1. */
  leastOfUncited: number;
  readCitations(plain: string): TokenisedText;
  /** The ids behind a name that is cited; none for a name that was not given. */
  idsOf(name: string): readonly string[];
  /** What is told of a citation of something that was not given, where that is more than that it was dropped. */
  unknownWarning?(written: string): string | null;
  /** Whether a text stands in it, word for word. */
  isQuoted(text: string): boolean;
  /** Whether a sentence that cites nothing only leads to others. */
  connects(sentence: string): boolean;
  /** Whether bold names at the beginning of a paragraph and lines that only lead to a list are kept. */
  keepsForm?: true;
  /** Whether a paragraph may begin with a sentence that states something and cites nothing. */
  opens?(): boolean;
  /** How it is known that a sentence says what the material does not tell; absent where that is not asked for. */
  missing?: {
    isTold(sentence: string, options: { cites: boolean }): boolean;
    /** Whether that may be told so: nothing in it that neither the question nor the material has. */
    mayBeTold(sentence: string): boolean;
  };
}

/** Finds texts word for word, but for marks and spaces. */
export function quotableIn(texts: readonly string[]): (text: string) => boolean {
  const comparable = texts.map((text) => comparableText(text).text);
  return (text) => {
    const wanted = withoutEndMarks(comparableText(text).text);
    return comparable.some((quote) => quote.includes(wanted));
  };
}
