import type { Zone } from './zones';

/** Where a study says what it found; 0 where it says something else. */
export const STUDY_WORTH: Readonly<Record<Zone, number>> = {
  title: 0,
  abstract: 0.35,
  background: 0,
  methods: 0,
  participants: 0,
  results: 0.42,
  discussion: 0.22,
  conclusions: 0.38,
  limitations: 0,
  references: 0,
  'back-matter': 0,
  instructions: 0,
  unknown: 0.4,
};

/** A document asserts anywhere but in its back matter; what a usage section says is an instruction more often than not. */
export const DOCUMENT_WORTH: Readonly<Record<Zone, number>> = {
  title: 0.5,
  abstract: 0.6,
  background: 0.5,
  methods: 0.6,
  participants: 0.5,
  results: 0.6,
  discussion: 0.5,
  conclusions: 0.6,
  limitations: 0.5,
  references: 0,
  'back-matter': 0,
  instructions: 0.35,
  unknown: 0.6,
};
