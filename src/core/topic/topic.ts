import { STOP_WORDS, stemOf, words } from '../text/words';
import { type TopicSource, associatedStems } from './associated-stems';
import { isGeneric } from './generic-words';
import { interventionKinds, kindFit } from './intervention-kinds';
import { type ConceptGroup, questionConcepts, stemSet } from './question-concepts';
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
  questionFit(stems: ReadonlySet<string>): number;
  /** How far a text speaks of the section's subject. */
  sectionFit(stems: ReadonlySet<string>): number;
  /** How far a source, by its title, is about the question and the section, and studies what the question names. */
  sourceFit(title: string): number;
}

const COVERED_WEIGHT = 0.6;
const ASSOCIATED_WEIGHT = 0.5;
const TITLE_WEIGHT = 1;
const SUBSECTION_WEIGHT = 0.6;
const DESCRIPTION_WEIGHT = 0.4;

/** A concept with the stems that stand for it, each with its weight. */
interface WeightedConcept {
  stems: readonly string[];
  related: ReadonlyMap<string, number>;
}

/** The topic of a question and one of its sections; `sources` tell which words go with the question's own. */
export function topicOf(
  question: string,
  section: TopicSection | null,
  sources: readonly TopicSource[],
): Topic {
  const groups = questionConcepts(question).map((group) => weighted(group, sources));
  const sectionStems = section ? sectionWeights(section) : new Map<string, number>();
  const asked = interventionKinds(question);
  const questionFit = (stems: ReadonlySet<string>): number => {
    if (groups.length === 0) return 1;
    const fits = groups.map((group) => Math.max(...group.map((concept) => conceptFit(concept, stems))));
    return fits.reduce((sum, fit) => sum + fit, 0) / fits.length;
  };
  const sectionFit = (stems: ReadonlySet<string>): number => {
    if (sectionStems.size === 0) return questionFit(stems);
    let sum = 0;
    for (const [stem, weight] of sectionStems) if (stems.has(stem)) sum += weight;
    return 1 - Math.exp(-1.1 * sum);
  };
  return {
    questionFit,
    sectionFit,
    sourceFit(title): number {
      const stems = stemSet(title);
      return (0.25 + 0.45 * questionFit(stems) + 0.3 * sectionFit(stems)) * kindFit(asked, title);
    },
  };
}

function weighted(group: ConceptGroup, sources: readonly TopicSource[]): WeightedConcept[] {
  return group.map(({ stems }) => {
    const related = new Map<string, number>();
    for (const [stem, strength] of associatedStems(stems, sources))
      related.set(stem, strength * ASSOCIATED_WEIGHT);
    for (const stem of stems) for (const covered of coveredBy(stem)) related.set(covered, COVERED_WEIGHT);
    return { stems, related };
  });
}

function conceptFit({ stems, related }: WeightedConcept, present: ReadonlySet<string>): number {
  const found = stems.filter((stem) => present.has(stem)).length;
  if (found === stems.length) return 1;
  let sum = (0.5 * found) / stems.length;
  for (const [stem, weight] of related) if (present.has(stem) && !stems.includes(stem)) sum += weight;
  return 0.9 * (1 - Math.exp(-1.5 * sum));
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
  return weights;
}
