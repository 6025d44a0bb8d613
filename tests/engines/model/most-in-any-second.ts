/** How many of the times, in milliseconds and in their order, fall into the fullest second. */
export function mostInAnySecond(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from, at) => times.slice(at).filter((time) => time - from < 1_000).length),
  );
}
