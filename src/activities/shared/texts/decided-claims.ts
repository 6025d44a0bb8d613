import type { WrittenSentence } from '../../../contracts/report/draft';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import type { SetAsideClaim } from '../../../contracts/verification/critique';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { stands } from '../../../core/settled-text/stands';
import { citedIds } from '../../../core/text/citation-marks';
import { judgeSentence } from '../../../verification/judge-sentence';

/** A claim that was decided when a text was audited. */
export interface DecidedClaim {
  plain: string;
  verdict: ClaimVerdict;
  /** The sources that it cited. */
  sourceIds: string[];
  /** Whether it stood in another text: what was taken out there is not said here in nearly its words. */
  isElsewhere?: true;
}

/** What was decided of a text's claims: those that were set aside, then those that stand. */
export function decidedClaims({
  sentences,
  setAside = [],
}: {
  sentences: readonly Pick<WrittenSentence, 'plain' | 'text' | 'isClaim' | 'verdict'>[];
  setAside?: readonly SetAsideClaim[] | undefined;
}): DecidedClaim[] {
  const aside = setAside.map(({ text, sourceIds, action: _action, ...verdict }) => ({
    plain: text,
    verdict,
    sourceIds,
  }));
  const standing = sentences.flatMap(({ plain, text, isClaim, verdict }) =>
    isClaim && verdict !== undefined
      ? [{ plain, verdict, sourceIds: [...citedIds(text), ...(verdict.notBorneBy ?? [])] }]
      : [],
  );
  return [...aside, ...standing];
}

/**
 * The verdict of an earlier round on a sentence: of the same words on the same sources whatever it was, of nearly the same words
 * where they were set aside in another text. In the same text such words may be the ones that mend it. Null where nothing was decided.
 */
export function decidedBefore(
  { plain, text, isClaim }: Pick<WrittenSentence, 'plain' | 'text' | 'isClaim'>,
  decided: readonly DecidedClaim[],
): ClaimVerdict | null {
  if (!isClaim) return null;
  const cited = new Set(citedIds(text));
  const isSame = ({ plain: words, sourceIds }: DecidedClaim): boolean =>
    sentenceKey(words) === sentenceKey(plain) &&
    sourceIds.length === cited.size &&
    sourceIds.every((id) => cited.has(id));
  const isRepeated = ({ plain: words, verdict, isElsewhere }: DecidedClaim): boolean =>
    isElsewhere === true &&
    !stands(verdict) &&
    judgeSentence(plain, { passages: [words], attribution: [], numbersFrom: [] }).verdict === 'close';
  return (decided.find(isSame) ?? decided.find(isRepeated))?.verdict ?? null;
}
