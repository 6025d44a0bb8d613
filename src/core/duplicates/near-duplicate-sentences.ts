import { stripUnsafe } from '../text/untrusted-text';

/** Words, numbers with their points, minus signs before numbers, and the signs that change what a number says. */
const KEY_TOKEN = /(?<![\p{L}\p{N}])-(?=\.?\p{N})|[\p{L}\p{M}]+|\p{N}+(?:\.\p{N}+)*|[<>=%±≤≥]/gu;

/**
 * The key of a sentence: sentences with equal keys say the same in the same words. Case, white space, quotation
 * marks, other punctuation and emphasis do not count; numbers and their signs do.
 */
export function sentenceKey(text: string): string {
  const plain = stripUnsafe(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/['’‘ʼ`]/g, '')
    .replace(/(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu, '');
  return (plain.match(KEY_TOKEN) ?? []).join(' ');
}
