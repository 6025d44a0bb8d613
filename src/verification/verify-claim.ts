import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { ClaimMaterial } from './claim-material';
import { preparePassages } from './prepared-passages';
import { verifyPrepared } from './verify-prepared';

/** A claim against the passages that it cites; for many claims on the same sources there is `createVerifier`. Pure. */
export function verifyClaim(
  claim: string,
  { cited, others = [], attribution, definitions }: ClaimMaterial,
): ClaimVerdict {
  const prepared = preparePassages([...cited, ...others], definitions);
  return verifyPrepared(claim, prepared, { cited: cited.map((_, at) => at), attribution });
}
