/** What follows a share of supported claims: those that a text infers from what it cites; empty where there is none. */
export function inferred(claims: { inferred: number }): string {
  return claims.inferred === 0 ? '' : ` and ${claims.inferred} inferred`;
}
