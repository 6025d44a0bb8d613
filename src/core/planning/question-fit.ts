import { type ParsedQuestion, topicsOf } from '../question/parse-question';
import { isLongerWord } from '../topic/said-stems';
import { coveredBy } from '../topic/umbrella-terms';
import type { LatentSpace } from './latent-space';
import { nearness, unitVector } from './latent-space';
import { FITTING } from './fitting';
import { namesPeople, namesPeopleAtLarge } from './people';
import type { TermSpace } from './term-space';
import { coveredTerms, indexTerms, isTelling, isTerm, termsOfTopic } from './topic-terms';

/** How well each source answers to the question, 0–1, and how widely it asks. */
export interface QuestionFit {
  fit: Float64Array;
  /** True where the question asks for kinds of something, so that answers need not repeat its words. */
  broad: boolean;
  /** The topic that the question is about, in its own words; null where it names none. */
  mainTopic: string | null;
  /** All that the question is about, as a heading would say it: `exercise and sleep`; null where it names nothing. */
  subjectMatter: string | null;
  /** Stems of all topics that the question names, and of those that are alternatives to its main topic. */
  words: ReadonlySet<string>;
  mainWords: ReadonlySet<string>;
  /** Whether the question asks what its main topic does, or what is done about it. */
  mainRole: 'subject' | 'object' | 'condition' | null;
}

/** Where a question asks for kinds, a source that never names the kind may still be one: it starts from here. */
const BROAD_FLOOR = 0.45;
/** What is left of a source's fit where it is silent on one of the question's further facets. */
const STRICT_FLOOR = 0.2;
/** The same where few sources speak to all facets at once: then those on the main one are taken in too. */
const LENIENT_FLOOR = 0.4;
const ENOUGH = 25;
const WHOM_FLOOR = 0.35;
const SPOKEN = 0.6;
/** Less is but a part of the topic's words: `supplementation` of `vitamin D supplementation`. */
const MENTIONED = 0.3;
/** A word that stands for the topic (`yoga` for `exercise`) says as much of it as the topic's own, less this. */
const COVERED_SHARE = 0.8;
/** What the whole text speaks of counts for less than what its title or summary says. */
const FULL_TEXT_SHARE = 0.8;
const ABOUT_SENTENCES = 8;

export function fitToQuestion(space: TermSpace, latent: LatentSpace, question: ParsedQuestion): QuestionFit {
  const index = indexTerms(space);
  const longerWords = (asked: string): string[] =>
    space.collection.stems.filter((stem) => isLongerWord(stem, asked));
  let topicNumber = 0;
  const facets = question.parts
    .flatMap((part) => part.facets)
    .map((facet) => ({
      role: facet.role,
      topics: facet.topics.map((topic) => ({
        number: topicNumber++,
        specific:
          topic.words.some((word) => word.wordClass === 'heavy' || coveredBy(word.stem).size > 0) ||
          isTerm(space, index, topic.words) ||
          topic.words.some((word) => isTelling(space, index, word)),
        text: topic.text,
        words: topic.words,
        headIsLight: topic.words.at(-1)?.wordClass === 'light',
        terms: termsOfTopic(space, index, topic.words),
        covered: coveredTerms(index, longerWords, topic.words),
      })),
    }));
  const telling = facets
    .map((facet) => ({
      ...facet,
      topics: facet.topics.filter((topic) => topic.specific && topic.terms.length + topic.covered.length > 0),
    }))
    .filter((facet) => facet.topics.length > 0);
  const subject = facets.find((facet) => facet.role === 'subject');
  const asksForKinds =
    question.asks.includes('which') && (subject?.topics.some((topic) => topic.headIsLight) ?? false);
  const broad = telling.length === 0 || (asksForKinds && telling.every((facet) => facet.role === 'subject'));

  const matches = telling.map((facet) => matchOf(space, facet.topics));
  // What fewest sources are about is what the question is about; the other facets say which side of it.
  // Whom it asks about comes after what it asks about them.
  const things = telling.flatMap((facet, at) => (facet.topics.some(namesPeopleAtLarge) ? [] : [at]));
  const main = (things.length > 0 ? things : telling.map((_, at) => at)).reduce(
    (rarest, at) => (total(matches[at] ?? NOTHING) < total(matches[rarest] ?? NOTHING) ? at : rarest),
    things[0] ?? 0,
  );
  const directWith = (floor: number): Float64Array =>
    Float64Array.from({ length: space.terms.length }, (_, source) =>
      matches.reduce(
        (product, match, at) => {
          // Beside others, a topic that is mentioned at all is spoken to.
          const own = telling.length > 1 ? spoken(match[source] ?? 0) : (match[source] ?? 0);
          // A summary often leaves out who was studied.
          const silent = things.includes(at) ? floor : Math.max(floor, WHOM_FLOOR);
          return product * (at === main ? own : silent + (1 - silent) * own);
        },
        telling.length === 0 ? 0 : 1,
      ),
    );
  const strict = directWith(STRICT_FLOOR);
  const isEnough = strict.filter((value) => value >= FITTING).length >= ENOUGH;
  const direct = isEnough ? strict : directWith(LENIENT_FLOOR);
  const expanded = expand(latent, direct);
  const fit = direct.map((value, source) => {
    const near = expanded[source] ?? 0;
    if (broad) return BROAD_FLOOR + (1 - BROAD_FLOOR) * Math.max(value, near);
    const lifted = Math.min(1, Math.max(value, 0.8 * value + (asksForKinds ? 0.5 : 0.3) * near));
    // Where sources speak to all that is asked, one that only resembles them is not among them.
    return isEnough && telling.length > 1 && value < FITTING ? Math.min(lifted, 0.9 * FITTING) : lifted;
  });
  return {
    fit,
    broad,
    mainTopic: telling[main]?.topics[0]?.text ?? null,
    subjectMatter: subjectMatterOf(telling.map((facet) => facet.topics.map(({ text }) => text))),
    words: stemsOf(topicsOf(question)),
    mainWords: stemsOf(telling[main]?.topics ?? []),
    mainRole: telling[main]?.role ?? null,
  };
}

function spoken(match: number): number {
  return match >= MENTIONED ? Math.max(match, SPOKEN) : match;
}

const NOTHING = new Float64Array(0);

/** `exercise and sleep`, `probiotics in infants or children`. */
function subjectMatterOf(facets: readonly string[][]): string | null {
  const isPeople = (topics: readonly string[]): boolean => topics.some(namesPeople);
  const said = (topics: readonly string[]): string => [...new Set(topics)].join(' or ');
  const things = facets.filter((topics) => !isPeople(topics)).map(said);
  const people = facets.filter(isPeople).map(said);
  const [what, whom] = [[...new Set(things)].join(' and '), people[0]];
  if (what === '') return whom ?? null;
  return whom === undefined ? what : `${what} in ${whom}`;
}

function stemsOf(topics: readonly { words: readonly { stem: string }[] }[]): Set<string> {
  return new Set(topics.flatMap(({ words }) => words.map(({ stem }) => stem)));
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** How well each source matches the best of the topics, 0–1; 1 from a mention in the title on. */
function matchOf(
  space: TermSpace,
  topics: readonly { number: number; terms: { term: number; share: number }[]; covered: number[] }[],
): Float64Array {
  const match = Float64Array.from(space.collection.sources, ({ mentions }) =>
    Math.max(...topics.map(({ number }) => spokenInFull(mentions[number] ?? 0))),
  );
  for (const topic of topics) {
    const topicMatch = new Float64Array(space.terms.length);
    for (const { term, share } of topic.terms) {
      space.phrases[term]?.sources.forEach((source, position) => {
        const mention = space.phrases[term]?.weights[position] ?? 0;
        topicMatch[source] = (topicMatch[source] ?? 0) + share * mention;
      });
    }
    for (const term of topic.covered) {
      space.phrases[term]?.sources.forEach((source, position) => {
        const mention = COVERED_SHARE * (space.phrases[term]?.weights[position] ?? 0);
        topicMatch[source] = Math.max(topicMatch[source] ?? 0, mention);
      });
    }
    topicMatch.forEach(
      (value, source) => (match[source] = Math.max(match[source] ?? 0, Math.min(1, value / 0.7))),
    );
  }
  return match;
}

/** What a text speaks of in so many sentences, it is about; one sentence is none. */
function spokenInFull(sentences: number): number {
  return FULL_TEXT_SHARE * (1 - Math.exp(-Math.max(0, sentences - 1) / ABOUT_SENTENCES));
}

export interface ListedTerm {
  /** As the question words it; null where the term says more than the question's word. */
  text: string | null;
  role: 'subject' | 'object' | 'condition';
}

/**
 * The terms for topics that the question lists: `errors, cancellation and caching`. Where it makes several lists, the one
 * with its main topic divides the report.
 */
export function listedTerms(
  space: TermSpace,
  question: ParsedQuestion,
  mainTopic: string | null,
): Map<number, ListedTerm> {
  const index = indexTerms(space);
  const listed = new Map<number, ListedTerm>();
  const lists = question.parts.flatMap((part) => part.facets).filter(({ topics }) => topics.length > 1);
  const main = lists.filter(({ topics }) => topics.some(({ text }) => text === mainTopic));
  for (const facet of main.length > 0 ? main : lists) {
    for (const topic of facet.topics) {
      const specific = topic.words.filter((word) => word.wordClass === 'heavy');
      const whole = index(topic.words.map((word) => word.stem));
      const term = whole ?? (specific.length > 0 ? index(specific.map((word) => word.stem)) : undefined);
      if (term === undefined) continue;
      listed.set(term, {
        text: topic.text,
        role: facet.role,
      });
    }
  }
  return listed;
}

/** How near each source is to those that match the question itself, 0–1. */
function expand(latent: LatentSpace, direct: Float64Array): Float64Array {
  const sum = new Float64Array(latent.rank);
  direct.forEach((value, source) => {
    for (let at = 0; at < latent.rank; at++)
      sum[at] = (sum[at] ?? 0) + value * value * (latent.sources[source * latent.rank + at] ?? 0);
  });
  const centre = unitVector(sum);
  return direct.map((_value, source) => Math.max(0, Math.min(1, nearness(latent, source, centre) * 1.3)));
}
