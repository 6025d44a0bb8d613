import type { Answer } from '../../contracts/answer';
import type { Brief } from '../../contracts/brief';
import type { Verdict } from '../../contracts/finding';
import type { Report } from '../../contracts/report';
import type { EngineName, RunKind } from '../../contracts/run';
import type { TextsShown } from '../../contracts/run-settings';
import type { RunSnapshot } from '../../contracts/run-status';
import type { SourcesRead, Work } from '../../contracts/source';
import type { SectionState } from '../../contracts/wording';
import { parseUrl } from '../../lib/url';
import type { Check } from '../report-texts';

// The document tree, and licences that allow showing a source's text.

/** A result as a tree, from which all formats are rendered. `buildDocument` builds it. Plain data, without clock or locale. */
export interface DocumentTree {
  kind: RunKind;
  id: string;
  title: string;
  question: string;
  /** Notes on the run as plain text, one sentence each. A report's text already contains the important ones. */
  notices: string[];
  check?: Check;
  findings?: DocumentFinding[];
  /** In reading order; the first part is the executive summary or the answer. */
  parts: DocumentPart[];
  claims: DocumentClaim[];
  setAside: { id: string; text: string; reason: string; partId: string | null; sources: number[] }[];
  conflicts: {
    topic: string;
    viewpoints: { statement: string; sources: number[]; places: DisputedPlace[] }[];
    resolution: string;
    reason: string;
  }[];
  /** Gaps that no part states. */
  gaps: string[];
  followUps: string[];
  sources: DocumentSource[];
  /** All sources of the run, cited or not. */
  sourcesRead?: SourcesRead;
  /** Date of the material, ISO 8601; null for an answer. `engine` is null for an unfinished document. */
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

/** Citations are in the Markdown as written; claims have offsets into it. */
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
  /** 0–1; null for kinds without a confidence for each claim, and for an inference, which is no evidence. */
  confidence: number | null;
  /** True if it repeats claims of other parts, as a summary does, so that it is not counted again. */
  restates?: true;
  /** True if the cross-check could not check its evidence. */
  notCrossChecked?: true;
  sources: number[];
  evidence: DocumentEvidence[];
}

/** A quote with the text around it, if known: `before + quote + after` occurs in the source. */
export interface DocumentEvidence {
  source: number;
  quote: string;
  start: number;
  end: number;
  page: number | null;
  /** Location in a source without pages: `slide 4`. */
  place?: string;
  before: string;
  after: string;
  isDisputed?: true;
  /** True if the quote is from a given summary and not from the source. */
  ofSummary?: true;
  /** Why the text around it is hidden: the source's licence (null if unknown), or a setting. */
  withheld?: { by: 'licence'; licence: string | null } | { by: 'setting' };
}

/** A numbered source. In an answer it is a passage, so that several may have the same `sourceId`. */
export interface DocumentSource {
  n: number;
  sourceId: string;
  title: string;
  file: string | null;
  author: string | null;
  site: string | null;
  publishedAt: string | null;
  accessedAt: string | null;
  /** http and https only, else null. */
  url: string | null;
  quality: { level: string; reason: string } | null;
  /** 0 if only rejected claims name it, or none. */
  timesCited: number;
  /** True if only its summary was read or given. */
  bySummaryOnly?: true;
  /** The document that contains it; absent if there is none. */
  work?: Work;
}

export interface UnfinishedDocument {
  snapshot: RunSnapshot;
  question: string;
  sections: UnfinishedSection[];
  sources: DocumentSource[];
}

export interface UnfinishedSection {
  id: string;
  title: string;
  state: SectionState;
  /** Null until written. A section with defects may be written again. */
  markdown: string | null;
}

/** An http or https address without user name and password; null for any other, such as `javascript:`. */
export function webAddress(url: string | null): string | null {
  const parsed = parseUrl(url ?? '');
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return null;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

/** Licences that let anybody redistribute a text for any purpose, matched on normalised names and addresses. */
const OPEN_LICENCES: readonly RegExp[] = [
  /\bcc ?(?:0|zero)\b|\bcreative ?commons (?:cc ?)?zero\b/,
  // Includes no-derivatives licences: a verbatim excerpt is no derivative.
  /\bcc ?by\b/,
  /\bcreative ?commons (?:org )?(?:licen[cs]es? )?(?:by|attribution)\b/,
  /\b(?:public ?domain|pd mark)\b|^pd$/,
  /\b(?:pddl|odc by|odbl)\b|\bopen data commons\b|\bopendatacommons org licenses\b/,
  /\bgfdl\b|\bgnu (?:free documentation licen[cs]e|fdl)\b|\bgnu org (?:licenses|copyleft) fdl\b/,
  /\bogl(?: uk)?\b|\bopen government licen[cs]e\b/,
  /\bgnu org licenses a?gpl\b|^a?gpl(?: v?\d.*)?$/,
  // Names that are ordinary words have to match as a whole.
  /^(?:the )?(?:mit|isc|apache|bsd)(?: software)?(?: licen[cs]e)?(?: version| v)?(?: ?[\d ]+)?(?: clause)?(?: licen[cs]e)?$/,
  /\b(?:opensource org licenses?|spdx org licenses) (?:mit|apache|bsd|isc)\b|\bapache org licenses\b/,
];

/** Non-commercial licences do not qualify, because the page's use is unknown; neither do denied or reserved rights. */
const RESTRICTED_LICENCE =
  /\bnc\b|\bnon ?commercial|\bnot\b|\bno cc\b|\ball rights reserved\b|\bnon ?exclusive\b|\bexcept\b/;

/** Removes the text around quotes that must not be shown. A source without a web address is the user's own, unless licensed otherwise. */
export function withholdTexts(
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

/** True if a licence lets everybody redistribute the text. Unknown licences are not open: hiding a text is the safer error. */
export function isOpenLicence(licence: string): boolean {
  const words = licence
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return !RESTRICTED_LICENCE.test(words) && OPEN_LICENCES.some((name) => name.test(words));
}

export interface StoredDocument {
  result: Report | Answer | Brief;
  markdown: string;
}

export interface ExportContext {
  /** Paths of browsers that can print pages; the first existing one is used. */
  browsers: readonly string[];
  remark: (text: string) => void;
}

export interface ExportFormat {
  ending: string;
  mediaType: string;
  isText: boolean;
  render(tree: DocumentTree, stored: StoredDocument, means: ExportContext): Promise<string | Uint8Array>;
}

export class UnprintableError extends Error {
  override readonly name = 'UnprintableError';
  constructor(why: string) {
    super(
      `a PDF is printed by a Chromium: ${why}. Name its program as COLLIGATE_CHROMIUM, or export html, open the page in a browser and print it`,
    );
  }
}
