/** `compute` that keeps its last results, at most `most` of them, by the text it was given. Callers share a result: none changes it. */
export function memoized<Result>(compute: (text: string) => Result, most: number): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size >= most) results.clear();
    results.set(text, result);
    return result;
  };
}
