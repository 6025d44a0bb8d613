/** Which sources repeat another of the same list: all of them, and by the text that they repeat. */
export interface Copies {
  all: ReadonlySet<string>;
  of: ReadonlyMap<string, readonly string[]>;
}

export function copiesAmong(
  sources: readonly { sourceId: string; nearDuplicateOf?: string | undefined }[],
): Copies {
  const known = new Set(sources.map(({ sourceId }) => sourceId));
  const of = new Map<string, string[]>();
  for (const { sourceId, nearDuplicateOf } of sources) {
    if (nearDuplicateOf === undefined || nearDuplicateOf === sourceId || !known.has(nearDuplicateOf))
      continue;
    of.set(nearDuplicateOf, [...(of.get(nearDuplicateOf) ?? []), sourceId].sort());
  }
  return { all: new Set([...of.values()].flat()), of };
}
