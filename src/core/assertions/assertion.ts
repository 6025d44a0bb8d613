import type { Circumstance } from './circumstances';
import type { Quantity } from './quantities';

/** A thing spoken of: its words as they stand in the text, and the sorted stems that tell it from other things. */
export interface Concept {
  text: string;
  terms: readonly string[];
}

/**
 * What happened to an outcome. `none`: no effect, no difference, no association. `differs`: a difference whose
 * direction the sentence does not tell. `up` and `down` also stand for positive and negative associations.
 */
export type Direction = 'up' | 'down' | 'better' | 'worse' | 'none' | 'differs';

/** `between`: one arm against another. `within`: against the same people's own start. */
export type Basis = 'between' | 'within' | 'unstated';

/** One statement of a sentence: what did something to which outcomes. A sentence may make several. */
export interface Effect {
  direction: Direction;
  basis: Basis;
  /** Things that go together, with or without a cause. */
  association: boolean;
  /** Only a tendency, a possibility, or a part of the people: too weak to contradict anything. */
  tentative: boolean;
  /** Empty terms where neither the sentence nor the title names it. */
  intervention: Concept;
  comparator: Concept;
  /** Each item of a list (`weight, strength and balance`) for itself. */
  outcomes: readonly Concept[];
  /** Results only; doses, durations, samples and test statistics are conditions or nothing. */
  results: readonly Quantity[];
}

export type AgeGroup = 'infant' | 'child' | 'adolescent' | 'young' | 'adult' | 'older';

export interface Population {
  ages: readonly AgeGroup[];
  sexes: readonly ('female' | 'male')[];
  /** Animals are no evidence against people, nor the other way round. */
  animals: boolean;
  /** What else sets them apart: `diabet`, `healthi`, `train`; what they are said to be without, as `no-diabet`. */
  terms: readonly string[];
  /** Those of the terms that name what they have: in "treated patients with asthma", `asthma`. */
  having: readonly string[];
  text: string;
}

export interface Conditions {
  /** Named in the sentence itself, or else in the title; null where neither tells. */
  population: Population | null;
  /** Those whom the sentence itself names. */
  ownPeople: Population | null;
  /** Those whom the title names, or else what is known of the study. */
  studyPeople: Population | null;
  doses: readonly Quantity[];
  durations: readonly Quantity[];
}

/** The sentence as a chain of content stems with its numbers, polarity words and function words taken out. */
export interface Frame {
  terms: readonly string[];
  /** Direction words and negations in order of appearance, each as its direction or `not`. */
  polarity: readonly string[];
  quantities: readonly Quantity[];
}

/** What a sentence asserts. */
export interface Assertion {
  sentence: string;
  /** The sentence with its abbreviations written out and one kind of space and minus; offsets below are into it. */
  plain: string;
  effects: readonly Effect[];
  /** The intervention that the source's title names; no terms where it names none. */
  studied: Concept;
  conditions: Conditions;
  /** Under what it holds, or does not, as far as the sentence says so expressly. */
  circumstances: readonly Circumstance[];
  frame: Frame;
}

export interface AssertionContext {
  /** The source's title: it names the intervention and the people where the sentence only says "the treated group". */
  title?: string;
  /** Abbreviations that the source defines, in full, by abbreviation. */
  acronyms?: ReadonlyMap<string, string>;
  /** Who took part and for how long, where it is known. */
  participants?: string;
  duration?: string;
}
