import type { EngineName } from '../contracts/run/run';
import type { RunKind } from '../contracts/kinds';
import type { Work } from '../contracts/source/source';
import type { Check } from '../texts/report';
import type { Verdict } from '../contracts/verification/claim-verdict';

/**
 * What a run left, as a tree that every rendering is made of: the page, tables, lists of sources, word processors' files. Made once
 * by `documentOf` of a report, an answer or a brief; plain data, without clock or locale.
 */
export interface DocumentTree {
  kind: RunKind;
  id: string;
  title: string;
  question: string;
  /** What a reader has to know of the run, a sentence each, as plain text; of a report its text has what matters of it. */
  notices: string[];
  /** How the claims of a report were checked. */
  check?: Check;
  /** How sure each finding is that a report tells. */
  findings?: DocumentFinding[];
  /** In reading order; the first is what answers (an executive summary, an answer). */
  parts: DocumentPart[];
  claims: DocumentClaim[];
  setAside: { id: string; text: string; reason: string; partId: string | null; sources: number[] }[];
  conflicts: {
    topic: string;
    viewpoints: { statement: string; sources: number[]; places: DisputedPlace[] }[];
    resolution: string;
    reason: string;
  }[];
  /** Those that no part tells, and further questions. */
  gaps: string[];
  followUps: string[];
  sources: DocumentSource[];
  /** ISO 8601, of the material; and what made it, null as long as it is made. */
  asOf: string | null;
  engine: EngineName | null;
  version: string;
}

export interface DisputedPlace {
  source: number;
  start: number;
  end: number;
}

export interface DocumentFinding {
  claim: string;
  confidence: number;
  notCrossChecked?: true;
  sources: number[];
}

/** A text of the document. Citations stand in its Markdown as they were written; claims say where they stand. */
export interface DocumentPart {
  id: string;
  title: string;
  markdown: string;
}

/** `markdown.slice(start, end) === text` of its part. */
export interface DocumentClaim {
  id: string;
  partId: string;
  start: number;
  end: number;
  text: string;
  verdict: Verdict;
  reason: string;
  /** 0–1; null where the kind has none for a claim, and of an inference, which is no evidence. */
  confidence: number | null;
  /** True where it says again what claims of other parts say, as a summary does, so that it is not counted beside them. */
  restates?: true;
  /** True where the cross-check could not check what it rests on. */
  notCrossChecked?: true;
  sources: number[];
  evidence: DocumentEvidence[];
}

/** A quote of a source with the text around it, where that is known: `before + quote + after` stands so in the source. */
export interface DocumentEvidence {
  source: number;
  quote: string;
  start: number;
  end: number;
  page: number | null;
  /** What stands for a page where a source has none: `slide 4`. */
  place?: string;
  before: string;
  after: string;
  isDisputed?: true;
  /** True where the quote is of what a given summary says on the source's account, and not of the source. */
  ofSummary?: true;
  /** Why the text around it is not shown, where it could be: the source's licence, null where none is known, or what was set. */
  withheld?: { by: 'licence'; licence: string | null } | { by: 'setting' };
}

/** What a number stands for: a source; in an answer a passage of one, so that several may have the same `sourceId`. */
export interface DocumentSource {
  n: number;
  sourceId: string;
  title: string;
  author: string | null;
  site: string | null;
  publishedAt: string | null;
  accessedAt: string | null;
  /** Of the web alone (http, https); null else. */
  url: string | null;
  quality: { level: string; reason: string } | null;
  /** 0 for one that only what is set aside names, or nothing. */
  timesCited: number;
  /** True where no more than its summary was read or given. */
  bySummaryOnly?: true;
  /** The document of which it is a part; absent where it stands alone. */
  work?: Work;
}
