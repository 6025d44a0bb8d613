/** The version to keep: one that passed, else the best by its overall score, the earlier of two that are as good. Workflows ask this. */
export function betterVersion<Version extends { overall: number; passed: boolean }>(
  earlier: Version,
  later: Version,
): Version {
  if (earlier.passed !== later.passed) return later.passed ? later : earlier;
  return later.overall > earlier.overall ? later : earlier;
}
