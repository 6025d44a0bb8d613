import type { Answer } from '../../contracts/answer';
import type { Brief } from '../../contracts/brief';
import type { Verdict } from '../../contracts/finding';
import type { Report } from '../../contracts/report';
import type { EngineName, RunKind } from '../../contracts/run';
import type { TextsShown } from '../../contracts/run-settings';
import type { RunSnapshot } from '../../contracts/run-status';
import type { Work } from '../../contracts/source';
import type { SectionState } from '../../contracts/wording';
import { parsedUrl } from '../../lib/url';
import type { Check } from '../report-texts';

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

/** An address of the web, without a name or a password in it; null for any other, such as `javascript:`. */
export function webAddress(url: string | null): string | null {
  const parsed = parsedUrl(url ?? '');
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return null;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

/** Licences by which everybody may pass a text on, for whatever purpose, as their names and addresses read as words. */
const OPEN: readonly RegExp[] = [
  /\bcc ?(?:0|zero)\b|\bcreative ?commons (?:cc ?)?zero\b/,
  // No derivatives, but a part that is shown word for word is none.
  /\bcc ?by\b/,
  /\bcreative ?commons (?:org )?(?:licen[cs]es? )?(?:by|attribution)\b/,
  /\b(?:public ?domain|pd mark)\b|^pd$/,
  /\b(?:pddl|odc by|odbl)\b|\bopen data commons\b|\bopendatacommons org licenses\b/,
  /\bgfdl\b|\bgnu (?:free documentation licen[cs]e|fdl)\b|\bgnu org (?:licenses|copyleft) fdl\b/,
  /\bogl(?: uk)?\b|\bopen government licen[cs]e\b/,
  /\bgnu org licenses a?gpl\b|^a?gpl(?: v?\d.*)?$/,
  // Names that are words of other texts as well have to stand alone.
  /^(?:the )?(?:mit|isc|apache|bsd)(?: software)?(?: licen[cs]e)?(?: version| v)?(?: ?[\d ]+)?(?: clause)?(?: licen[cs]e)?$/,
  /\b(?:opensource org licenses?|spdx org licenses) (?:mit|apache|bsd|isc)\b|\bapache org licenses\b/,
];

/** A page cannot know whether its reader earns with it; and what denies or reserves a right gives none. */
const CLOSED =
  /\bnc\b|\bnon ?commercial|\bnot\b|\bno cc\b|\ball rights reserved\b|\bnon ?exclusive\b|\bexcept\b/;

/**
 * The tree with the texts of its sources cut to what is cited where they are not to be shown. What has no address of the web is
 * the user's own, unless its licence says otherwise. Pure.
 */
export function withShownTexts(
  tree: DocumentTree,
  shown: TextsShown,
  licenceOf: (sourceId: string) => string | null,
): DocumentTree {
  const sources = new Map(tree.sources.map((source) => [source.n, source]));
  const withheldOf = (n: number): DocumentEvidence['withheld'] | null => {
    if (shown === 'all') return null;
    if (shown === 'none') return { by: 'setting' };
    const source = sources.get(n);
    const licence = licenceOf(source?.sourceId ?? '');
    const isShown = licence === null ? source?.url === null : isOpenLicence(licence);
    return isShown ? null : { by: 'licence', licence };
  };
  const cut = (place: DocumentEvidence): DocumentEvidence => {
    const withheld = place.before === '' && place.after === '' ? null : (withheldOf(place.source) ?? null);
    return withheld === null ? place : { ...place, before: '', after: '', withheld };
  };
  return { ...tree, claims: tree.claims.map((claim) => ({ ...claim, evidence: claim.evidence.map(cut) })) };
}

/**
 * Whether a licence, by its name or address as archives and people write it, lets everybody pass the text on. What is not known is
 * not open: a text that is left out costs a click, one that is shown without a right is somebody's.
 */
export function isOpenLicence(licence: string): boolean {
  const words = licence
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return !CLOSED.test(words) && OPEN.some((name) => name.test(words));
}

export interface StoredDocument {
  result: Report | Answer | Brief;
  markdown: string;
}

export interface ExportMeans {
  /** Paths of browsers that print pages, where they are there; the first is the one to take. */
  browsers: readonly string[];
  /** Takes what is to be said of the file, a sentence or two each: what made it, what it lacks. */
  remark: (text: string) => void;
}

export interface ExportFormat {
  /** Of a file's name, without its point. */
  ending: string;
  mediaType: string;
  /** False where it cannot be shown in a terminal. */
  isText: boolean;
  render(tree: DocumentTree, stored: StoredDocument, means: ExportMeans): Promise<string | Uint8Array>;
}

export class UnprintableError extends Error {
  override readonly name = 'UnprintableError';
  constructor(why: string) {
    super(
      `a PDF is printed by a Chromium: ${why}. Name its program as COLLIGATE_CHROMIUM, or export html, open the page in a browser and print it`,
    );
  }
}
