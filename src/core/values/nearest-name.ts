/** The known name that a misspelt one was probably meant to be, or null where none is close. */
export function nearestName(misspelt: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(misspelt.length / 4));
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best === null ? null : best.name;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const deletion = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(substitution, deletion, insertion));
    }
    previous = current;
  }
  return previous[to.length] ?? from.length;
}
