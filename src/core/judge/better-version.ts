/** The version to keep: the best by its overall score, the earlier of two that are as good. Workflows ask this. */
export function betterVersion<Version extends { overall: number }>(
  earlier: Version,
  later: Version,
): Version {
  return later.overall > earlier.overall ? later : earlier;
}
