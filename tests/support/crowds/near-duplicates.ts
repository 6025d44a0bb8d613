import {
  createSignatureTable,
  findNearDuplicates,
  setSignature,
  signatureOf,
  type SignatureTable,
} from '../../../src/text/duplicates';

export function tableOf(texts: readonly string[]): SignatureTable {
  const table = createSignatureTable(texts.length);
  texts.forEach((text, at) => setSignature(table, at, signatureOf(text)));
  return table;
}

/** Each near-duplicate's id with the id of what it repeats; `onRead` is told whose text is read. */
export async function repeatsAmong(
  texts: ReadonlyMap<string, string>,
  onRead: (id: string) => void = () => undefined,
): Promise<Map<string, string>> {
  const ids = [...texts.keys()];
  const contents = [...texts.values()];
  const repeats = await findNearDuplicates(
    tableOf(contents),
    (at) => contents[at]?.length ?? 0,
    async (places) => {
      for (const at of places) onRead(ids[at] ?? '');
      return new Map(places.map((at) => [at, contents[at] ?? '']));
    },
  );
  return new Map([...repeats].map(([at, original]) => [ids[at] ?? '', ids[original] ?? '']));
}
