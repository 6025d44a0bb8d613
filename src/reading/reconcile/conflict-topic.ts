import { placedWords } from '../../language/word-positions';
import { STOP_WORDS } from '../../language/words';
import type { WeightOf } from '../statements/compare-statements';
import type { Statement } from '../statements/statement';
import { unmatched } from '../statements/statement-figures';

const LONGEST = 9;
/** Nothing, or a circumstance: a verb would make what stands before the date its subject. */
const BEHIND_DATE = /^(?:\W*$|\s(?:by|at|to|for|after|with|from|as)\b)/;

/**
 * What two quotes both speak of: the run of shared words that says most and stands in one of them, as a heading has it; where they
 * share none, what they measure by its unit.
 */
export function topicOf(a: Statement, b: Statement, weightOf: WeightOf): string {
  const shared = new Set([...a.matter].filter((stem) => b.matter.has(stem)));
  const runs = [a.text, b.text].flatMap((text) => runsIn(text, shared, weightOf));
  const [best] = runs.sort((one, other) => other.weight - one.weight || one.text.length - other.text.length);
  const dated = datesDiffer(a, b) ? (untilDate(a) ?? untilDate(b)) : null;
  if (dated !== null) return `when ${withoutCapital(dated)}`;
  const unit = a.measured?.unit ?? '';
  if (best === undefined && unit !== '') return `the value in ${unit}`;
  const topic = (best?.text ?? a.text).replace(/\s+/g, ' ');
  return withoutCapital(topic);
}

/** Without the capital that only opens a sentence. */
function withoutCapital(topic: string): string {
  return /^\p{Lu}\p{Ll}+(?:[\s-]|$)/u.test(topic) ? topic.charAt(0).toLowerCase() + topic.slice(1) : topic;
}

function datesDiffer(a: Statement, b: Statement): boolean {
  return unmatched(a.figures.dates, b.figures.dates).every((dates) => dates.length > 0);
}

/** What comes before a date, no more than its circumstances behind it: `The bridge was opened`. */
function untilDate({ text, figures: { dates } }: Statement): string | null {
  const [date, ...others] = dates;
  if (date === undefined || others.length > 0) return null;
  const before = /^([^,;:()]+?)(?:\s(?:in|on|by|since))?\s$/.exec(text.slice(0, date.start))?.[1];
  const isShort = before !== undefined && before.split(/\s+/).length <= LONGEST;
  return isShort && BEHIND_DATE.test(text.slice(date.end)) ? before : null;
}

function runsIn(
  text: string,
  shared: ReadonlySet<string>,
  weightOf: WeightOf,
): { text: string; weight: number }[] {
  const words = placedWords(text);
  return words.flatMap((first, from) => {
    const runs: { text: string; weight: number }[] = [];
    const held = new Set<string>();
    for (const [at, word] of shared.has(first.stem) ? words.slice(from, from + LONGEST).entries() : []) {
      const gap = at === 0 ? '' : text.slice(words[from + at - 1]?.end, word.start);
      if (/[^\s\p{Pd}'’]/u.test(gap) || !(shared.has(word.stem) || STOP_WORDS.has(word.word))) break;
      if (!shared.has(word.stem)) continue;
      const weight = [...held.add(word.stem)].reduce((sum, stem) => sum + weightOf(stem), 0);
      runs.push({ text: text.slice(first.start, word.end), weight });
    }
    return runs;
  });
}
