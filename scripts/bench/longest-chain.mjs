/** The longest row of calls of which each began when the one before had ended: they could not have been made together. */
export function longestChain(calls) {
  const ordered = [...calls].sort((a, b) => a.endMs - b.endMs);
  const best = [];
  for (const [at, call] of ordered.entries()) {
    const before = ordered
      .slice(0, at)
      .reduce(
        (longest, other, index) => (other.endMs <= call.startMs ? Math.max(longest, best[index]) : longest),
        0,
      );
    best[at] = before + call.endMs - call.startMs;
  }
  return Math.max(...best);
}
