/** A failure is a part of the history, and is shown whole. */
const MOST_CHARS = 10_000;

/** The problems that are told, from the first on, and how many there are besides: whoever sent rubbish does not choose how much is said of it. */
export function toldProblems(problems: readonly string[]): string[] {
  const told: string[] = [];
  let chars = 0;
  for (const problem of problems) {
    chars += problem.length;
    if (told.length > 0 && chars > MOST_CHARS) return [...told, `and ${problems.length - told.length} more`];
    told.push(problem.slice(0, MOST_CHARS));
  }
  return told;
}
