import { withinSentence } from '../core/writing/within-sentence';
import { absentNumbers, numberedTexts } from './absent-numbers';
import { keyOf } from './closeness';
import { compareClosely } from './compare-closely';
import { preparePassages } from './prepared-passages';
import { statementTokens } from './statement-tokens';

export interface CitedMaterial {
  passages: readonly string[];
  /** Who says it and when: authors and dates of what it cites; a sentence may name them. */
  attribution: readonly string[];
  /** Further texts that hold numbers of what it cites, such as titles; a number of theirs is not certainly wrong. */
  numbersFrom: readonly string[];
}

/**
 * What words alone can tell of a sentence: that it keeps close to what it cites (then by the passages at these places), that
 * it is certainly wrong, or nothing. Only a reader can tell an invention from a free paraphrase.
 */
export type SentenceJudgement =
  | { verdict: 'close'; passages: number[] }
  | { verdict: 'certainly-wrong'; reason: string }
  | { verdict: 'undecided' };

export function judgeSentence(sentence: string, material: CitedMaterial): SentenceJudgement {
  const { passages, attribution, numbersFrom } = material;
  const [absent] = absentNumbers(sentence, numberedTexts([...passages, ...attribution, ...numbersFrom]));
  if (absent !== undefined) {
    return { verdict: 'certainly-wrong', reason: `“${absent}” stands in nothing that it cites` };
  }
  const known = new Set(attribution.flatMap((text) => statementTokens(text).map(keyOf)));
  const prepared = preparePassages(passages.map((text, at) => ({ sourceId: `${at}`, text, start: 0 })));
  const compared = prepared.sentences.map((_, at) => ({
    sentence: at,
    statements: prepared.statementsOf(at),
  }));
  const close = compareClosely(sentence, compared, known, ({ stem }) => prepared.holdersOf(stem).length > 0);
  if (close.says === 'same') {
    const found = close.sentences.map((at) => prepared.sentences[at]?.passage ?? 0);
    return { verdict: 'close', passages: [...new Set(found)] };
  }
  if (close.says === 'exchanged')
    return { verdict: 'certainly-wrong', reason: withinSentence(close.exchange.reason).replace(/\.$/, '') };
  return { verdict: 'undecided' };
}
