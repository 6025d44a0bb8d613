/** The values of a text of JSON: those of its list, or of its lines where the file ends with `.jsonl`. Throws `SyntaxError`. */
export function jsonValues(file: string, text: string): unknown[] {
  if (/\.jsonl$/i.test(file))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line));
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value : [value];
}
