import { withoutCitationMarks } from '../../language/citation-marks';
import { effectsTold } from '../../language/direction';
import { isNegated, negationsIn } from '../../language/negation';
import { placedWords } from '../../language/word-positions';
import { stemOf } from '../../language/words';
import { asksWhether } from '../question/asked-change';
import { asksForEffect, parted, placeOf } from '../question/question-kind';
import { areElsewhere, type Comparison } from './compare-statements';
import data from './data/statement-words.json';
import { type Statement, statementMatter, type Told, type Verdict } from './statement';
import { figuresDiffer } from './statement-figures';

/** A phrase of a question with its words, which are stems. */
interface AskedPhrase {
  text: string;
  words: ReadonlySet<string>;
}

/** What is asked to have an effect, and on what: `Does zinc reduce diarrhoea in children?` */
export interface AskedEffect {
  cause: AskedPhrase;
  /** Of several each is an outcome of its own. */
  outcomes: readonly AskedPhrase[];
  /** In whom, or in what. */
  among: ReadonlySet<string>;
}

/** What one source answers to that. */
interface ToldEffect {
  part: Told;
  outcome: AskedPhrase;
  verdict: Verdict;
}

/** What others found is theirs. */
const OTHERS = /\bet al\b/;
const nameless = new Set(data.nameless.map(stemOf));
const effects = new Set(data.deniedEffects.map(stemOf));
/** So many words around an outcome tell what becomes of it. */
const REACH = 8;
/** So many other words may stand in its name. */
const BESIDES = 1;
/** `The aim of improving it` tells of no improvement. */
const GERUND = /\b\p{L}+ing\b/gu;
const BRACKETED = /\([^()]*\)/g;

/** Null where a question does not ask whether something that it names has an effect on something else that it names. */
export function askedEffect(question: string): AskedEffect | null {
  if (!asksWhether(question) || !asksForEffect(question)) return null;
  const phrases = parted(question, true).flatMap((phrase) => {
    const words = statementMatter(phrase.text);
    return words.size === 0 ? [] : [{ text: phrase.text, words, place: placeOf(phrase, question) }];
  });
  const placed = (wanted: string): AskedPhrase[] => phrases.filter(({ place }) => place === wanted);
  const joined = (wanted: string): Set<string> => new Set(placed(wanted).flatMap(({ words }) => [...words]));
  const [cause] = placed('cause');
  const outcomes = placed('outcome');
  if (cause === undefined || outcomes.length === 0) return null;
  return { cause: { text: cause.text, words: joined('cause') }, outcomes, among: joined('among') };
}

/**
 * Two results that answer a question contrarily, in whatever other words: one tells the effect that is asked about, the other
 * denies it. Null where either does not answer, or where they are of others than are asked about.
 */
export function compareAnswers(a: Statement, b: Statement, asked: AskedEffect): Comparison | null {
  const [one, other] = [answerTo(asked, a), answerTo(asked, b)];
  if (one === null || other === null || one.outcome !== other.outcome) return null;
  if ((one.verdict === 'none') === (other.verdict === 'none')) return null;
  if (figuresDiffer(a.figures.circumstances, b.figures.circumstances)) return null;
  if (figuresDiffer(a.figures.dates, b.figures.dates)) return null;
  if (areElsewhere(one.part.comparedWith, a, other.part.comparedWith, b)) return null;
  if (asked.among.size === 0 && areElsewhere(whereIn(a, one), a, whereIn(b, other), b)) return null;
  return {
    relation: 'clash',
    kind: 'direction',
    verdicts: [one.verdict, other.verdict],
    topic: `${asked.cause.text} and ${one.outcome.text}`,
  };
}

/** In whom and under what a result holds, by its title and its words. */
function whereIn({ among }: Statement, { part: { circumstances } }: ToldEffect): ReadonlySet<string> {
  return new Set([...among, ...circumstances].filter((stem) => !nameless.has(stem)));
}

/** What a result says that becomes of an outcome that is asked about, by what is asked about. */
export function answerTo({ cause, outcomes, among }: AskedEffect, told: Statement): ToldEffect | null {
  if (told.text.endsWith('?') || OTHERS.test(told.text) || withoutCitationMarks(told.text) !== told.text)
    return null;
  if (![told.title, told.matter].some((stems) => holds(stems, among))) return null;
  // Who tried something else says of this what others found.
  if (told.title.size > 0 && !holdsAny(told.title, cause.words)) return null;
  for (const [at, part] of told.parts.entries()) {
    if (part.isOfComparator || holdsAny(part.comparedWith, cause.words) || /\bbetween\b/.test(part.text))
      continue;
    // It may be supposed, or there may be no evidence, that it is so.
    const governing = /^that\b/.test(part.text) ? told.parts[at - 1] : undefined;
    if (part.isUncertain || governing?.isUncertain || negationsIn(governing?.text ?? '') > 0) continue;
    // What a sentence does not name itself its title does, where it calls it what any study does.
    if (!holds(told.matter, cause.words) && !(part.isNameless && holds(told.title, cause.words))) continue;
    const outcome = outcomes.find(({ words }) => holds(part.matter, words));
    const verdict = outcome === undefined ? null : verdictOn(part, outcome);
    if (outcome !== undefined && verdict !== null) return { part, outcome, verdict };
  }
  return null;
}

/** What the words around an outcome say that becomes of it; null where they tell of nothing, or tell and deny. */
function verdictOn({ text, verdict }: Told, outcome: AskedPhrase): Verdict | null {
  const plain = text.replace(BRACKETED, '').replace(GERUND, '');
  const words = placedWords(plain);
  const at = words.findIndex((_word, first) =>
    holds(
      new Set(words.slice(first, first + outcome.words.size + BESIDES).map(({ stem }) => stem)),
      outcome.words,
    ),
  );
  if (at < 0) return null;
  const [from, to] = [Math.max(0, at - REACH), at + outcome.words.size + REACH];
  const told = effectsTold(plain.slice(words[from]?.start, words[to]?.start));
  const isDenied = words.some(
    ({ stem }, place) => place >= from && place < to && effects.has(stem) && isNegated(words, place),
  );
  if (isDenied || told.includes('none'))
    return verdict === 'none' && told.every((effect) => effect === 'none') ? 'none' : null;
  const [first, ...others] = new Set(told);
  if (first === undefined || verdict === 'none') return null;
  return others.length === 0 ? first : 'some';
}

function holds(stems: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every((stem) => stems.has(stem));
}

function holdsAny(stems: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((stem) => stems.has(stem));
}
