import { readFileSync } from 'node:fs';

const { pairs } = JSON.parse(readFileSync(new URL('../data/turned-words.json', import.meta.url), 'utf8'));
const contraries = new Map([...pairs.map(([one, other]) => [other, one]), ...pairs]);

/** One word exchanged for its contrary, in its form; null where none of the words has one. */
export function withTurnedWord(sentence, random) {
  const own = [...sentence.matchAll(/\p{L}+/gu)].filter(([word]) => contraries.has(word.toLowerCase()));
  if (own.length === 0) return null;
  const { 0: word, index } = own[Math.floor(random() * own.length)];
  const other = contraries.get(word.toLowerCase());
  const written = /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
  return sentence.slice(0, index) + written + sentence.slice(index + word.length);
}
