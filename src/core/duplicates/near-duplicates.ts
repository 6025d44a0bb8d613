import { nearDuplicateCandidates, type Candidates } from './near-duplicate-candidates';
import type { SignatureTable } from './near-duplicate-signature';
import { verifyCopies, type SuspectedCopies } from './near-duplicate-verification';

const ITEMS_AT_ONCE = 200;
const CHARS_AT_ONCE = 2_000_000;

/** Who does the work: a thread where there may be much of it. */
export interface DuplicateWork {
  candidates(table: SignatureTable): Promise<Candidates> | Candidates;
  verify(suspected: SuspectedCopies): Promise<[number, number][]> | [number, number][];
}

const HERE: DuplicateWork = { candidates: nearDuplicateCandidates, verify: verifyCopies };

/**
 * Each near-duplicate's place with the place of what it repeats: the earliest text to which it is similar by its words, and
 * never one that repeats another itself. Only texts of candidate pairs are asked for, a part of them at a time.
 */
export async function markNearDuplicates(
  table: SignatureTable,
  charsOf: (at: number) => number,
  textsOf: (places: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  work: DuplicateWork = HERE,
): Promise<Map<number, number>> {
  const repeats = new Map<number, number>();
  const { partners, ends } = await work.candidates(table);
  let items: { at: number; partners: number[] }[] = [];
  let chars = 0;
  const needed = new Set<number>();
  const need = (at: number): void => {
    if (needed.has(at)) return;
    needed.add(at);
    chars += charsOf(at);
  };
  const compare = async (): Promise<void> => {
    const known = [...needed].flatMap((at): [number, number][] => {
      const original = repeats.get(at);
      return original === undefined ? [] : [[at, original]];
    });
    const texts = await textsOf([...needed]);
    for (const [at, original] of await work.verify({ items, repeats: new Map(known), texts }))
      repeats.set(at, original);
    items = [];
    chars = 0;
    needed.clear();
  };
  for (let at = 0; at < table.count; at += 1) {
    const own = [...partners.subarray(ends[at - 1] ?? 0, ends[at])];
    if (own.length === 0) continue;
    items.push({ at, partners: own });
    for (const partner of [at, ...own]) {
      need(partner);
      const original = repeats.get(partner);
      if (original !== undefined) need(original);
    }
    if (items.length >= ITEMS_AT_ONCE || chars >= CHARS_AT_ONCE) await compare();
  }
  if (items.length > 0) await compare();
  return repeats;
}
