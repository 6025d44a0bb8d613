import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import type { AuditedSentence } from '../../../core/settled-text/settle-text';
import { citedIds } from '../../../core/text/citation-marks';
import { judgeSentence } from '../../../verification/judge-sentence';

/** A claim of a section that was decided when the section was audited. */
export interface DecidedClaim extends AuditedSentence {
  plain: string;
}

/** What was decided of a section's claims: those that were set aside, then those that stand. */
export function decidedClaims({ checked }: SectionDraft): DecidedClaim[] {
  if (checked === undefined) return [];
  const aside = (checked.setAside ?? []).map(({ text, sourceIds, action: _action, ...verdict }) => ({
    plain: text,
    verdict: verdict satisfies ClaimVerdict,
    findingIds: [],
    sourceIds,
  }));
  const standing = checked.sentences.flatMap(({ plain, text, findingIds, isClaim, verdict }) =>
    isClaim && verdict !== undefined ? [{ plain, verdict, findingIds, sourceIds: citedIds(text) }] : [],
  );
  return [...aside, ...standing];
}

/** What was decided of a claim that says the same in nearly the same words; null where nothing was. */
export function decidedBefore(
  { plain, isClaim }: WrittenSentence,
  decided: readonly DecidedClaim[],
): AuditedSentence | null {
  if (!isClaim) return null;
  const same = decided.find((one) => {
    const cited = { passages: [one.plain], attribution: [], numbersFrom: [] };
    return judgeSentence(plain, cited).verdict === 'close';
  });
  if (same === undefined) return null;
  const { plain: _words, ...found } = same;
  return found;
}
