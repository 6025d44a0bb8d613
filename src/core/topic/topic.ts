import { namesPeople, namesPeopleAtLarge } from '../planning/people';
import { wordClass } from '../planning/word-classes';
import { parseQuestion, topicsOf } from '../question/parse-question';
import { STOP_WORDS, stemOf, words } from '../../language/words';
import { type TopicSource, associatedStems } from './associated-stems';
import { isGeneric } from './generic-words';
import { interventionKinds, kindFit } from './intervention-kinds';
import { type ConceptGroup, questionConcepts, stemSet } from './question-concepts';
import { isSaid } from './said-stems';
import { coveredBy } from './umbrella-terms';

/** What a section is about, in words. */
export interface TopicSection {
  title: string;
  description: string;
  subsections: readonly string[];
}

/** How well texts fit a question and a section; all values 0–1. */
export interface Topic {
  /** How far a text speaks of what the question asks about. */
  questionFit: (stems: ReadonlySet<string>) => number;
  /** How far a text speaks of what the question asks to be changed (`sleep`); 1 where it names nothing of the sort. */
  outcomeFit: (stems: ReadonlySet<string>) => number;
  /** Stems that a text on the question's outcomes has one of; empty where the question names none. */
  outcomeStems: ReadonlySet<string>;
  /** How far a text speaks of the section's subject. */
  sectionFit: (stems: ReadonlySet<string>) => number;
  /** How far a text is about each part of the section's title; 1 where the title names nothing. */
  titleFit: (stems: ReadonlySet<string>) => number;
  /** How far a source, by its title, studies the kind of thing that the question names. */
  kindFit: (title: string) => number;
}

/** What is left of the fit where a text says nothing of a concept. */
const MISSED = 0.1;
/** The same of whom the question asks about: sentences, and titles, often leave out who was studied. */
const MISSED_PEOPLE = 0.25;
/** How well any text fits a concept that names no subject. */
const OPEN_FIT = 0.6;
const COVERED_WEIGHT = 0.6;
const ASSOCIATED_WEIGHT = 0.3;
const IMPLIED = 0.7;
/** A section that takes up the rest of a topic is about the topic. */
const FURTHER = /^further results on /i;
const NO_STEMS: ReadonlyMap<string, number> = new Map();
const TITLE_WEIGHT = 1;
const SUBSECTION_WEIGHT = 0.6;
const DESCRIPTION_WEIGHT = 0.4;
const SECTION_COVERED_SHARE = 0.5;

/** One word of a concept: how much it tells sources apart, and what stands for it besides itself. */
interface WeightedStem {
  stem: string;
  weight: number;
  related: ReadonlyMap<string, number>;
}

type WeightedConcept = readonly WeightedStem[];

/** The topic of a question and one of its sections; `sources` tell which words go with the question's own. */
export function topicOf(
  question: string,
  section: TopicSection | null,
  sources: readonly TopicSource[],
): Topic {
  const samples = sources.map(sampleOf);
  const concepts = questionConcepts(question);
  const groups = concepts.map((group) => weighted(group, sources, samples));
  const people = peopleStems(question);
  const missed = concepts.map((group) =>
    group.every(({ stems }) => stems.length > 0 && stems.every((stem) => people.has(stem)))
      ? MISSED_PEOPLE
      : MISSED,
  );
  const sectionStems = section ? sectionWeights(section) : new Map<string, number>();
  const asked = interventionKinds(question);
  const strongest = Math.max(0.01, ...groups.map(weightOfGroup));
  const questionFit = (stems: ReadonlySet<string>): number => {
    let fit = 1;
    groups.forEach((group, at) => {
      const least = missed[at] ?? MISSED;
      const best = Math.max(...group.map((concept) => conceptFit(concept, stems)));
      fit *= (least + (1 - least) * best) ** (weightOfGroup(group) / strongest);
    });
    return fit;
  };
  const outcomes = outcomeConcepts(question).map((group) => weighted(group, sources, samples));
  const title = section
    ? questionConcepts(section.title.replace(FURTHER, '')).map((group) => weighted(group, sources, samples))
    : [];
  const sectionFit = (stems: ReadonlySet<string>): number => {
    if (sectionStems.size === 0) return questionFit(stems);
    let sum = 0;
    for (const [stem, weight] of sectionStems) if (stems.has(stem)) sum += weight;
    return 1 - Math.exp(-1.1 * sum);
  };
  return {
    questionFit,
    outcomeFit: (stems) => fitOfAll(outcomes, stems),
    outcomeStems: new Set(
      outcomes.flatMap((group) =>
        group.flatMap((concept) => concept.flatMap((word) => [word.stem, ...word.related.keys()])),
      ),
    ),
    sectionFit,
    titleFit: (stems) => fitOfAll(title, stems),
    kindFit: (title) => kindFit(asked, title),
  };
}

/** The product over the groups of the best of each group's alternatives. */
function fitOfAll(groups: readonly (readonly WeightedConcept[])[], stems: ReadonlySet<string>): number {
  return groups.reduce(
    (fit, group) => fit * Math.max(...group.map((concept) => conceptFit(concept, stems))),
    1,
  );
}

/** The stems of whom the question asks about: `older women`. */
function peopleStems(question: string): Set<string> {
  const topics = topicsOf(parseQuestion(question));
  return new Set(topics.filter(namesPeopleAtLarge).flatMap(({ words: own }) => own.map(({ stem }) => stem)));
}

/** The concepts of the question that it asks the effect on; whom it asks about is not among them. */
function outcomeConcepts(question: string): ConceptGroup[] {
  const objects = parseQuestion(question)
    .parts.flatMap((part) => part.facets)
    .filter(({ role, topics }) => role === 'object' && !topics.some(({ text }) => namesPeople(text)))
    .flatMap(({ topics }) => topics.flatMap(({ words: own }) => own.map(({ stem }) => stem)));
  const asked = new Set(objects);
  return questionConcepts(question).filter((group) =>
    group.some(({ stems }) => stems.some((stem) => asked.has(stem))),
  );
}

/** The first part of a source is enough to see how common a word is among them. */
function sampleOf({ title, passages }: TopicSource): ReadonlySet<string> {
  return stemSet([title, ...passages.slice(0, 6).map(({ text }) => text.slice(0, 800))].join(' '));
}

function weighted(
  group: ConceptGroup,
  sources: readonly TopicSource[],
  samples: readonly ReadonlySet<string>[],
): WeightedConcept[] {
  return group.map(({ stems }) => {
    // The company that words keep helps where nothing else is known of a word; beside a known one it only blurs.
    const single = stems.length === 1 && coveredBy(stems[0] ?? '').size === 0;
    const associated = single ? associatedStems(stems, sources) : NO_STEMS;
    return stems.map((stem) => {
      const related = new Map<string, number>();
      for (const [other, strength] of associated) related.set(other, strength * ASSOCIATED_WEIGHT);
      for (const covered of coveredBy(stem))
        if (!stems.includes(covered)) related.set(covered, COVERED_WEIGHT);
      const share =
        samples.length === 0 ? 0 : samples.filter((sample) => sample.has(stem)).length / samples.length;
      return { stem, weight: Math.max(0.2, 1 - share), related };
    });
  });
}

function weightOfGroup(group: readonly WeightedConcept[]): number {
  return Math.max(
    ...group.map(
      (concept) => concept.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, concept.length),
    ),
  );
}

/** The share of a concept's words that a text has, by weight; words that stand for one count for less. Half a concept is little. */
function conceptFit(concept: WeightedConcept, present: ReadonlySet<string>): number {
  if (concept.length === 0) return OPEN_FIT;
  let sum = 0;
  let total = 0;
  const head = concept.at(-1);
  // `Cholesterol` for `blood lipids`: a narrower word for the head needs none of the words before it.
  const isNarrower =
    head !== undefined &&
    !present.has(head.stem) &&
    wordClass(head.stem, head.stem) === 'heavy' &&
    [...head.related.keys()].some((other) => present.has(other));
  for (const { stem, weight, related } of concept) {
    total += weight;
    if (isSaid(stem, present)) sum += weight;
    else {
      let near = 0;
      for (const [other, strength] of related) if (present.has(other)) near += strength;
      const said = 0.9 * (1 - Math.exp(-1.5 * near));
      sum += weight * (isNarrower && related.size === 0 ? IMPLIED : said);
    }
  }
  return (sum / total) ** 1.5;
}

function sectionWeights({ title, description, subsections }: TopicSection): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of words(text)) {
      const stem = stemOf(word);
      if (STOP_WORDS.has(word) || isGeneric(stem) || isGeneric(word)) continue;
      weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
    }
  };
  add(description, DESCRIPTION_WEIGHT);
  for (const subsection of subsections) add(subsection, SUBSECTION_WEIGHT);
  add(title, TITLE_WEIGHT);
  for (const [stem, weight] of [...weights]) {
    for (const covered of coveredBy(stem))
      if (!weights.has(covered)) weights.set(covered, weight * SECTION_COVERED_SHARE);
  }
  return weights;
}
