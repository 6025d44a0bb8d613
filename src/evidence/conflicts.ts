import type { Conflict, Evidence, Finding, Viewpoint } from '../contracts/finding';
import { type Question, readQuestion } from '../text/question';
import { placedWords, STOP_WORDS } from '../text/words';
import {
  type Clash,
  clashesIn,
  comparedPairs,
  placeKey,
  type QuotedStatement,
  quotedStatements,
} from './clashes';
import { mayContradict, type WeightOf } from './compare-statements';
import { countDistinctEvidence, type SourcesById } from './corroboration';
import { readStatement, type Statement, unmatchedFigures } from './statement';
import { findViewpoints } from './viewpoints';

export function findConflicts(
  findings: readonly Finding[],
  sources: SourcesById,
  { question }: { question?: string } = {},
): Conflict[] {
  const asked = question === undefined ? undefined : readQuestion(question);
  const { pairs, weightOf } = comparedPairs(quotedStatements(findings, sources, asked), asked);
  return conflictsOf(clashesIn(pairs), sources, weightOf);
}

export function conflictsOf(clashes: readonly Clash[], sources: SourcesById, weightOf: WeightOf): Conflict[] {
  const groups: Clash[][] = [];
  for (const clash of clashes) {
    const joined = groups.filter((group) => group.some((other) => shareQuote(clash, other)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), clash]);
  }
  return groups
    .flatMap((group) => conflictOf(group, sources, weightOf) ?? [])
    .sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.id < b.id ? -1 : 1));
}

function shareQuote(one: Clash, other: Clash): boolean {
  const places = [other.a, other.b].map(({ evidence }) => placeKey(evidence));
  return (
    one.comparison.kind === other.comparison.kind &&
    [one.a, one.b].some(({ evidence }) => places.includes(placeKey(evidence)))
  );
}

function conflictOf(clashes: readonly Clash[], sources: SourcesById, weightOf: WeightOf): Conflict | null {
  const sides = sidesOf(clashes);
  const [first] = clashes;
  if (sides.length < 2 || first === undefined) return null;
  const [topic = ''] = clashes
    .map(({ a, b }) => topicOf(a.statement, b.statement, weightOf))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const viewpoints = sides.map(viewpointOf);
  const { resolution, reason } = resolve(viewpoints, sources);
  return {
    id: `conflict-${hash(
      viewpoints
        .flatMap(({ evidence }) => evidence.map(placeKey))
        .sort()
        .join('|'),
    )}`,
    topic,
    kind: first.comparison.kind,
    viewpoints,
    resolution,
    reason: [differenceReason(topic, first), reason].filter((told) => told !== '').join(' '),
    findingIds: [...new Set(sides.flat().flatMap(({ findingId }) => findingId ?? []))].sort(),
  };
}

/** Assigns each quote to the first side without a contradiction; sources on several sides are dropped. */
function sidesOf(clashes: readonly Clash[]): QuotedStatement[][] {
  const sides: QuotedStatement[][] = [];
  const contradict = (one: QuotedStatement, other: QuotedStatement): boolean =>
    clashes.some(({ a, b }) => [a, b].includes(one) && [a, b].includes(other));
  for (const quote of new Set(clashes.flatMap(({ a, b }) => [a, b]))) {
    const side = sides.find((others) => !others.some((other) => contradict(quote, other)));
    if (side === undefined) sides.push([quote]);
    else side.push(quote);
  }
  const standsElsewhere = (side: QuotedStatement[], { root }: QuotedStatement): boolean =>
    sides.some((other) => other !== side && other.some((quote) => quote.root === root));
  return sides
    .map((side) => side.filter((quote) => !standsElsewhere(side, quote)))
    .filter((side) => side.length > 0);
}

function viewpointOf(side: readonly QuotedStatement[]): Viewpoint {
  const quotes = [...new Map(side.map((quote) => [placeKey(quote.evidence), quote]))]
    .sort(
      ([place, a], [other, b]) =>
        b.confidence - a.confidence ||
        errorOf(a) - errorOf(b) ||
        a.evidence.quote.length - b.evidence.quote.length ||
        (place < other ? -1 : 1),
    )
    .map(([, quote]) => quote.evidence);
  return {
    statement: quotes[0]?.quote.replace(/\s+/g, ' ') ?? '',
    citations: [...new Set(quotes.map(({ sourceId }) => sourceId))],
    evidence: quotes,
  };
}

function errorOf({ statement: { measured } }: QuotedStatement): number {
  return measured?.error ?? Number.MAX_VALUE;
}

function differenceReason(topic: string, { comparison }: Clash): string {
  if (comparison.kind === 'number') {
    const [one, other] = comparison.figures;
    return topic.startsWith('when ')
      ? `The sides give different dates for ${topic}: ${one} and ${other}.`
      : `The sides give different figures for ${topic}: ${one} and ${other}.`;
  }
  if (comparison.kind === 'condition')
    return `What they say of ${topic} holds under conditions that exclude each other.`;
  const [one, other] = comparison.verdicts;
  if (one === other || one === null || other === null)
    return `On ${topic}, one side denies what the other says.`;
  return one === 'none' || other === 'none'
    ? `On ${topic}, one side reports an effect or a difference, the other none.`
    : `On ${topic}, the sides report opposite effects.`;
}

/** FNV-1a in hexadecimal: a short id that is equal in every run. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}

const MAX_TOPIC_WORDS = 9;
/** End of text or a circumstance: a verb would make the text before the date its subject. */
const BEHIND_DATE = /^(?:\W*$|\s(?:by|at|to|for|after|with|from|as)\b)/;

/**
 * Topic of two quotes, as for a heading: the heaviest run of shared words, else the unit of a measured value. `when …`
 * if only dates differ.
 */
function topicOf(a: Statement, b: Statement, weightOf: WeightOf): string {
  const shared = new Set([...a.matter].filter((stem) => b.matter.has(stem)));
  const runs = [a.text, b.text].flatMap((text) => sharedRuns(text, shared, weightOf));
  const [best] = runs.sort((one, other) => other.weight - one.weight || one.text.length - other.text.length);
  const dated = datesDiffer(a, b) ? (textBeforeDate(a) ?? textBeforeDate(b)) : null;
  if (dated !== null) return `when ${lowerFirst(dated)}`;
  const unit = a.measured?.unit ?? '';
  if (best === undefined && unit !== '') return `the value in ${unit}`;
  const topic = (best?.text ?? a.text).replace(/\s+/g, ' ');
  return lowerFirst(topic);
}

function lowerFirst(topic: string): string {
  return /^\p{Lu}\p{Ll}+(?:[\s-]|$)/u.test(topic) ? topic.charAt(0).toLowerCase() + topic.slice(1) : topic;
}

function datesDiffer(a: Statement, b: Statement): boolean {
  return unmatchedFigures(a.figures.dates, b.figures.dates).every((dates) => dates.length > 0);
}

/** The text before a single date, if only circumstances follow: `The bridge was opened`. */
function textBeforeDate({ text, figures: { dates } }: Statement): string | null {
  const [date, ...others] = dates;
  if (date === undefined || others.length > 0) return null;
  const before = /^([^,;:()]+?)(?:\s(?:in|on|by|since))?\s$/.exec(text.slice(0, date.start))?.[1];
  const isShort = before !== undefined && before.split(/\s+/).length <= MAX_TOPIC_WORDS;
  return isShort && BEHIND_DATE.test(text.slice(date.end)) ? before : null;
}

function sharedRuns(
  text: string,
  shared: ReadonlySet<string>,
  weightOf: WeightOf,
): { text: string; weight: number }[] {
  const words = placedWords(text);
  return words.flatMap((first, from) => {
    const runs: { text: string; weight: number }[] = [];
    const held = new Set<string>();
    for (const [at, word] of shared.has(first.stem)
      ? words.slice(from, from + MAX_TOPIC_WORDS).entries()
      : []) {
      const gap = at === 0 ? '' : text.slice(words[from + at - 1]?.end, word.start);
      if (/[^\s\p{Pd}'’]/u.test(gap) || !(shared.has(word.stem) || STOP_WORDS.has(word.word))) break;
      if (!shared.has(word.stem)) continue;
      const weight = [...held.add(word.stem)].reduce((sum, stem) => sum + weightOf(stem), 0);
      runs.push({ text: text.slice(first.start, word.end), weight });
    }
    return runs;
  });
}

export function answerConflicts(question: string, findings: readonly Finding[]): Conflict[] {
  const answers = findingAnswers(readQuestion(question), findings);
  if (answers.length < 2) return [];
  return [
    {
      id: 'conflict-answers',
      topic: `the answer to “${question.replace(/\s+/g, ' ').trim()}”`,
      kind: 'number',
      viewpoints: answers.map(({ evidence }) => ({
        statement: evidence[0]?.quote.replace(/\s+/g, ' ') ?? '',
        citations: evidence.map(({ sourceId }) => sourceId),
        evidence,
      })),
      resolution: 'present_both',
      reason: 'The sources give different answers, or speak of different things by one name.',
      findingIds: [...new Set(answers.flatMap(({ findingIds }) => findingIds))],
    },
  ];
}

interface FindingAnswer {
  answer: string;
  evidence: Evidence[];
  findingIds: string[];
}

const SINGLE_ANSWER_KINDS: ReadonlySet<Question['kind']> = new Set(['date', 'number', 'name']);

/**
 * The different answers of findings; empty unless the question asks for a date, an amount or a name. An amount that
 * may be right together with the plainest one (other time, place or unit, rounding) does not count.
 */
function findingAnswers(question: Question, findings: readonly Finding[]): FindingAnswer[] {
  if (question.asksForEffect || !SINGLE_ANSWER_KINDS.has(question.kind)) return [];
  const quotes = findings.flatMap(({ id, evidence }) => evidence.map((item) => ({ id, item })));
  const ids = [...new Set(quotes.map(({ item }) => item.sourceId))];
  const sources = ids.map((id) => ({
    id,
    title: '',
    sentences: quotes.filter(({ item }) => item.sourceId === id).map(({ item }) => item.quote),
  }));
  const [plainest, ...others] = findViewpoints(question, sources);
  if (plainest === undefined) return [];
  const first = readStatement(plainest.sentence);
  const different =
    question.kind === 'number'
      ? others.filter(({ sentence }) => mayContradict(first, readStatement(sentence)))
      : others;
  return [plainest, ...different].map(({ answer, sources: giving, sentence }) => {
    const told = giving.flatMap((sourceId) => {
      const own = quotes.filter(({ item }) => item.sourceId === sourceId);
      return own.find(({ item }) => item.quote === sentence || item.quote.includes(answer)) ?? own[0] ?? [];
    });
    return {
      answer,
      evidence: told.map(({ item }) => item),
      findingIds: [...new Set(told.map(({ id }) => id))],
    };
  });
}

const FAVOURED_LEAD = 2;

/** Favours a side that alone has an authoritative source, or clearly more sources; else presents both. */
export function resolve(
  viewpoints: readonly Viewpoint[],
  sources: SourcesById,
): { resolution: string; reason: string } {
  const standing = viewpoints.map(({ citations }) =>
    citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
  );
  if (standing.filter(Boolean).length === 1) {
    const at = standing.indexOf(true);
    return favourViewpoint(at, `Only the ${ordinal(at)} view rests on a source rated authoritative.`);
  }
  const counts = viewpoints.map(({ evidence }) => countDistinctEvidence(evidence, sources));
  const at = counts.indexOf(Math.max(...counts));
  const others = Math.max(...counts.filter((_count, index) => index !== at));
  const most = counts[at] ?? 0;
  return most - others >= FAVOURED_LEAD
    ? favourViewpoint(at, `${most} sources stand behind the ${ordinal(at)} view, ${others} behind the other.`)
    : { resolution: 'present_both', reason: '' };
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

function ordinal(at: number): string {
  return ORDINALS[at] ?? `${at + 1}th`;
}

function favourViewpoint(at: number, reason: string): { resolution: string; reason: string } {
  return { resolution: `favor_viewpoint_${at + 1}`, reason };
}
