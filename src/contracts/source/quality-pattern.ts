/** Whether it is a regular expression, and one without a repetition of a repetition, which takes for ever on some addresses. */
export function isSafePattern(pattern: string): boolean {
  if (/[+*}]\s*\)\s*[+*{]/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
