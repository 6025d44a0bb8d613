import { withOtherDenial } from './other-denial.mjs';
import { namesIn } from './names.mjs';
import { withOtherNumber } from './other-number.mjs';
import { withTurnedWord } from './turned-word.mjs';

/**
 * The sentence with one thing exchanged, in each way that it allows, by its kind: a number beyond rounding, a name for another
 * one of the collection, a direction, a denial. What is put in, of numbers and names, the passage does not hold.
 */
export function corruptions(sentence, { passage, names, random }) {
  const made = {
    number: withOtherNumber(sentence, passage, random),
    name: withOtherName(sentence, passage, names, random),
    direction: withTurnedWord(sentence, random),
    negation: withOtherDenial(sentence),
  };
  return Object.entries(made).filter(([, claim]) => claim !== null && claim !== sentence);
}

/** For a name of its own shape: a shortened one for a shortened one. */
function withOtherName(sentence, passage, names, random) {
  const own = namesIn(sentence);
  if (own.length === 0) return null;
  const { name, start, shape } = own[Math.floor(random() * own.length)];
  const lower = passage.toLowerCase();
  const others = names[shape] ?? [];
  for (let tries = 0; tries < 40 && others.length > 0; tries += 1) {
    const other = others[Math.floor(random() * others.length)];
    if (!lower.includes(other.toLowerCase().slice(0, 5)) && !sentence.includes(other))
      return sentence.slice(0, start) + other + sentence.slice(start + name.length);
  }
  return null;
}
