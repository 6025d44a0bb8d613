/** The share of a claim's words that stand in order in the one sentence of a text that has most of them so. */
export function closenessTo(claim, sentences) {
  const words = wordsOf(claim);
  const own = new Set(words);
  const best = sentences
    .map((sentence) => wordsOf(sentence))
    .map((other) => ({ other, shared: new Set(other.filter((word) => own.has(word))).size }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 5);
  return Math.max(0, ...best.map(({ other }) => inOrder(words, other) / Math.max(1, words.length)));
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
}

/** The length of the longest common subsequence. */
function inOrder(one, other) {
  let row = new Array(other.length + 1).fill(0);
  for (const word of one) {
    const next = [0];
    for (const [at, held] of other.entries())
      next.push(word === held ? row[at] + 1 : Math.max(row[at + 1], next[at]));
    row = next;
  }
  return row.at(-1);
}
