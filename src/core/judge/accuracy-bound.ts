import type { Verdict } from '../../contracts/verification/claim-verdict';

/**
 * What a claim is worth by its verdict. What follows from what is cited is as right as what is said there. A claim that is borne in
 * part says something besides; of what words alone leave open a half is right (of 914 such claims of AttributionBench 465); what is
 * unsupported or contradicted is worth nothing.
 */
const WORTH: Record<Verdict, number> = {
  supported: 1,
  inference: 1,
  unchecked: 0.5,
  partial: 0.5,
  unsupported: 0,
  contradicted: 0,
};

/** A text that lost so many of its claims was written badly, however well what is left of it reads. */
const MANY_ASIDE = 1 / 3;
const BOUND_OF_MANY = 3;
const BEST = 5;

/** The most that any score of a text may be, 1–5, by how many of its claims were set aside, whether by words or by an audit. */
export function boundOfAsides(claims: readonly { stands: boolean }[]): number {
  const aside = claims.filter(({ stands }) => !stands).length;
  return aside > 0 && aside >= MANY_ASIDE * claims.length ? BOUND_OF_MANY : BEST;
}

/**
 * The most that the verifier's figures allow of factual accuracy, 1–5: 1 + 4 × the mean worth of the claims as they were
 * written. Claims that were set aside are among them: a writer that has to be mended is not accurate, and a text whose wrong
 * claims were all taken out would else be perfect. A text without claims has nothing that was checked: it counts as unchecked.
 */
export function accuracyBound(claims: readonly { verdict: Verdict }[]): number {
  const worth = claims.reduce((sum, { verdict }) => sum + WORTH[verdict], 0);
  const mean = claims.length === 0 ? WORTH.unchecked : worth / claims.length;
  return 1 + 4 * mean;
}
