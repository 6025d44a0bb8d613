import type { Zone } from './zones';

/** What a sentence reports; the first five are worth reporting, the others are the reason why it is not. */
export type SentenceKind =
  | 'comparison'
  | 'change'
  | 'association'
  | 'no-difference'
  | 'assertion'
  | 'unreadable'
  | 'dangling'
  | 'reference'
  | 'aim'
  | 'method'
  | 'others-work'
  | 'process'
  | 'limitation'
  | 'recommendation'
  | 'speculation'
  | 'instruction'
  | 'no-result';

export interface SentenceAssessment {
  /** 0–1; 0 where the sentence is not a result that its source asserts, or does not read whole. */
  worth: number;
  kind: SentenceKind;
  /** What spoke for and against it, in a few words each, for whoever wants to know why. */
  reasons: string[];
}

/** `study` texts report what was found, with methods and figures; `document` texts say what a thing is and does. */
export type Genre = 'study' | 'document';

export interface SentenceSetting {
  zone: Zone;
  genre: Genre;
  /** True in the source's abstract or summary, where authors say what matters. */
  inAbstract?: boolean;
  /** Acronyms that a reader knows from the question, the title or the field. */
  knownAcronyms?: ReadonlySet<string>;
  /** Acronyms that the source explains elsewhere; a sentence may have two of them at most, and is worth less. */
  explainedAcronyms?: ReadonlySet<string>;
}
