/** The words for each field; the first that is there counts. */
export type FieldWords<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/** The fields of a value by what they mean, and the keys that mean nothing here. What is null or blank is not there. */
export function namedFields<Field extends string>(
  value: Readonly<Record<string, unknown>>,
  words: FieldWords<Field>,
): { fields: Partial<Record<Field, unknown>>; unknown: string[] } {
  const given = new Map(Object.entries(value).map(([key, own]) => [folded(key), own]));
  const fields: Partial<Record<Field, unknown>> = {};
  // `Object.keys` forgets the keys of a constant.
  for (const field of Object.keys(words) as Field[]) {
    const found = words[field].map((word) => given.get(folded(word))).find((own) => !isMissing(own));
    if (found !== undefined) fields[field] = found;
  }
  const known = new Set(Object.values<readonly string[]>(words).flat().map(folded));
  return { fields, unknown: Object.keys(value).filter((key) => !known.has(folded(key))) };
}

/** The value that stands under one of the words, whatever its case. */
export function firstUnder(value: Readonly<Record<string, unknown>>, words: readonly string[]): unknown {
  return namedFields(value, { one: words }).fields.one;
}

function folded(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
