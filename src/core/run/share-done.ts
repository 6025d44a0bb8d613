/** How far a run is, 0–100, whose passes take these shares of 100: the passes before `pass`, and `done` of its `of` parts. */
export function shareDone<Pass extends string>(
  passes: readonly Pass[],
  share: Readonly<Record<Pass, number>>,
  pass: Pass,
  parts: { done: number; of: number },
): number {
  const before = passes.slice(0, passes.indexOf(pass)).reduce((sum, name) => sum + share[name], 0);
  const within = parts.of === 0 ? 0 : (share[pass] * Math.min(parts.done, parts.of)) / parts.of;
  return Math.round((before + within) * 10) / 10;
}
