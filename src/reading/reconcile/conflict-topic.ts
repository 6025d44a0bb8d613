import { placedWords } from '../../language/word-positions';
import { stemOf, STOP_WORDS } from '../../language/words';
import type { WeightOf } from '../compare-statements';
import type { Told } from '../statement';

const LONGEST = 9;

/** What two quotes both speak of: the longest run of shared words that stands in one of them, as a heading has it. */
export function topicOf(a: Told, b: Told, weightOf: WeightOf): string {
  const shared = new Set([...a.matter].filter((stem) => b.matter.has(stem)));
  const runs = [a.text, b.text].flatMap((text) => runsIn(text, shared, weightOf));
  const [best] = runs.sort((one, other) => other.weight - one.weight || one.text.length - other.text.length);
  return best === undefined ? firstWords(a.text) : asHeading(best.text);
}

interface Run {
  text: string;
  weight: number;
}

function runsIn(text: string, shared: ReadonlySet<string>, weightOf: WeightOf): Run[] {
  const words = placedWords(text);
  const runs: Run[] = [];
  words.forEach((first, from) => {
    if (!shared.has(first.stem)) return;
    const held = new Set<string>();
    for (let at = from; at < Math.min(words.length, from + LONGEST); at += 1) {
      const word = words[at];
      const gap = at === from ? '' : text.slice(words[at - 1]?.end ?? 0, word?.start);
      if (word === undefined || /[^\s\p{Pd}'’]/u.test(gap)) break;
      if (shared.has(word.stem)) held.add(word.stem);
      else if (!STOP_WORDS.has(word.word)) break;
      if (!shared.has(word.stem)) continue;
      const weight = [...held].reduce((sum, stem) => sum + weightOf(stem), 0);
      runs.push({ text: text.slice(first.start, word.end), weight });
    }
  });
  return runs;
}

/** Without the capital that only opens a sentence. */
function asHeading(text: string): string {
  const plain = text.replace(/\s+/g, ' ');
  return /^\p{Lu}\p{Ll}+(?:[\s-]|$)/u.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}

const FIRST_WORDS = 8;

function firstWords(text: string): string {
  const words = text.trim().split(/\s+/);
  const first = words
    .slice(0, FIRST_WORDS)
    .join(' ')
    .replace(/[\s.,;:]+$/, '');
  return words.length <= FIRST_WORDS ? first : `${first} …`;
}

/** Whether two topics are of one thing: the one's words are among the other's. */
export function isOneTopic(one: string, other: string): boolean {
  const [left, right] = [stemsOf(one), stemsOf(other)];
  return [...left].every((stem) => right.has(stem)) || [...right].every((stem) => left.has(stem));
}

function stemsOf(topic: string): Set<string> {
  const words = placedWords(topic).filter(({ word }) => !STOP_WORDS.has(word));
  return new Set(words.map(({ word }) => stemOf(word)));
}
