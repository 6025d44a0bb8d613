import type { SectionState } from '../texts/run';
import type { RunSnapshot } from '../core/run/run-snapshot';
import type { DocumentSource } from './document';

export interface UnfinishedDocument {
  snapshot: RunSnapshot;
  question: string;
  /** In the outline's order; none before there is one. */
  sections: UnfinishedSection[];
  /** What the sections that are written cite, by the numbers in their texts. */
  sources: DocumentSource[];
}

export interface UnfinishedSection {
  id: string;
  title: string;
  state: SectionState;
  /** Of one that is written; it may be written anew where it lacks something. */
  markdown: string | null;
}
