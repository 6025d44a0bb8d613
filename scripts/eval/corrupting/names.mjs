const WORD = /\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*/gu;

/** What is written like a name within a sentence: `short` in capitals or with figures, `word` with one capital. */
export function namesIn(sentence) {
  const found = [];
  for (const { 0: name, index: start } of sentence.matchAll(WORD)) {
    const isShort = /^(?:\p{Lu}[\p{Lu}\p{N}]+|\p{Lu}+-?\p{N}+)$/u.test(name) && name.length <= 6;
    const isWord = /^\p{Lu}\p{Ll}{3,}$/u.test(name) && /[\p{Ll},] $/u.test(sentence.slice(0, start));
    if (isShort || isWord) found.push({ name, start, shape: isShort ? 'short' : 'word' });
  }
  return found;
}

/** The names of a collection by their shape: those that stand in two of its sentences at least, without repeats. */
export function namesOf(sentences) {
  const counts = { short: new Map(), word: new Map() };
  for (const sentence of sentences)
    for (const { name, shape } of namesIn(sentence))
      counts[shape].set(name, (counts[shape].get(name) ?? 0) + 1);
  const kept = (of) => [...of].filter(([, count]) => count > 1).map(([name]) => name);
  return { short: kept(counts.short), word: kept(counts.word) };
}
