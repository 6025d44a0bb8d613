import { CHARS_AROUND_SOURCE, charsInWindow } from '../contracts/budget';
import type { ModelChoices } from '../contracts/run-input';
import type { AnswerSettings, SynthesisSettings } from '../contracts/run-settings';
import { groupBy, splitEvenly } from '../lib/iterables';

// Sizes of calls: sources in groups, characters to read, findings to request and words to write.

/** A group ends from the minimum on at the first source whose id is an end, and never exceeds the maximum. */
const MIN_GROUP_CHARS = 36_000;
const MAX_GROUP_CHARS = 60_000;
const GROUP_END_MODULUS = 3;
const HEADINGS_SHARE = 0.06;

const WHOLE_SHARE = 1 / 2;

interface ReadableSize {
  id: string;
  contentChars: number;
}

interface ReadingLimits {
  settings: DigestLimits;
  /** Null if no model's window limits a group. */
  contextTokens: number | null;
}

/**
 * Groups of sources for one call each, in order. The id of a source decides whether a group ends there, so that a new
 * or removed source changes its own group and the cached results of the others stay valid.
 */
export function readingGroups<Source extends ReadableSize>(
  sources: readonly Source[],
  { settings, contextTokens }: ReadingLimits,
): Source[][] {
  const room = contextTokens === null ? Infinity : charsInWindow(contextTokens) * (1 - HEADINGS_SHARE);
  const most = Math.min(MAX_GROUP_CHARS, settings.maxTotalChars, room);
  const groups: Source[][] = [];
  let chars = Infinity;
  for (const source of sources) {
    const own = charsInGroup(source, settings);
    const last = groups.at(-1)?.at(-1);
    const ends = last !== undefined && chars >= Math.min(MIN_GROUP_CHARS, most) && endsGroup(last.id);
    if (ends || chars + own > most) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(source);
    chars += own;
  }
  return groups;
}

/** True if one call can read all sources whole, in at most half of the smallest window. */
export function fitsWhole(
  sources: readonly Pick<ReadableSize, 'contentChars'>[],
  { settings, contextTokens }: ReadingLimits,
): boolean {
  const room =
    contextTokens === null ? Infinity : charsInWindow(contextTokens, WHOLE_SHARE) * (1 - HEADINGS_SHARE);
  const chars = sources.reduce((sum, { contentChars }) => sum + contentChars + CHARS_AROUND_SOURCE, 0);
  return (
    chars <= Math.min(room, settings.maxTotalChars) &&
    sources.every(({ contentChars }) => contentChars <= settings.maxCharsPerSource)
  );
}

function charsInGroup({ contentChars }: ReadableSize, settings: ReadingLimits['settings']): number {
  return digestChars(contentChars, settings) + CHARS_AROUND_SOURCE;
}

/** The smallest context of a run's models, in tokens, because all of them read the same groups. Null without models. */
export function smallestWindow(models: ModelChoices | null | undefined): number | null {
  if (!models) return null;
  const { fast, strong, overview, deepDive } = models;
  return Math.min(...[fast, strong, overview, deepDive].flatMap((model) => model?.contextTokens ?? []));
}

/** FNV-1a over the id's UTF-16 units: equal on all machines. */
function endsGroup(id: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) % GROUP_END_MODULUS === 0;
}

/** From this share on a group is read whole: its prompt prefix is cached since the summaries. */
const WHOLE_FROM = 1 / 2;
/** A longer group is sent several times, because its sections would get too little of one answer. */
const CHARS_A_CALL = 60_000;

const MAX_FINDINGS = 40;
const MIN_FINDINGS = 6;
const CHARS_PER_FINDING = 300;
/** Factor of requested to kept findings: only the best of all calls are kept. */
const OVERSAMPLING = 1.5;

export interface ReadingCall {
  sourceIds: string[];
  sectionIds: string[];
}

export function planReadingCalls(
  all: readonly (ReadableSize & { group?: string | undefined })[],
  wantedBy: readonly { sectionId: string; sourceIds: readonly string[] }[],
  limits: ReadingLimits,
): ReadingCall[] {
  const sectionsOf = groupBy(
    wantedBy.flatMap(({ sectionId, sourceIds }) => sourceIds.map((sourceId) => ({ sectionId, sourceId }))),
    ({ sourceId }) => sourceId,
  );
  const charsOf = (sources: readonly ReadableSize[]): number =>
    sources.reduce((sum, source) => sum + charsInGroup(source, limits.settings), 0);
  const groups = [...groupBy(all, ({ group }) => group).entries()].flatMap(([name, group]) =>
    // Sources without a group are grouped as they would be for the summaries.
    name === undefined ? readingGroups(group, limits) : [group],
  );
  return groups.flatMap((group) => {
    const wanted = group.filter(({ id }) => sectionsOf.has(id));
    if (wanted.length === 0) return [];
    const sources = charsOf(wanted) >= WHOLE_FROM * charsOf(group) ? group : wanted;
    const served = new Set(
      wanted.flatMap(({ id }) => sectionsOf.get(id) ?? []).map(({ sectionId }) => sectionId),
    );
    const sectionIds = wantedBy.map(({ sectionId }) => sectionId).filter((id) => served.has(id));
    return splitEvenly(
      sectionIds,
      Math.ceil(sectionIds.length / Math.ceil(charsOf(sources) / CHARS_A_CALL)),
    ).map((part) => ({ sourceIds: sources.map(({ id }) => id), sectionIds: part }));
  });
}

export function maxFindingsPerCall({
  chars,
  wanted,
  sections,
  calls,
}: {
  chars: number;
  wanted: number;
  sections: number;
  calls: number;
}): number {
  const most = Math.min(MAX_FINDINGS, Math.max(1, Math.ceil(chars / CHARS_PER_FINDING)));
  return Math.round(Math.min(most, Math.max(MIN_FINDINGS, (OVERSAMPLING * wanted * sections) / calls)));
}

export type DigestLimits = Pick<
  SynthesisSettings,
  'maxCharsPerSource' | 'minCharsPerSource' | 'maxTotalChars' | 'pass2FullContentCount'
>;

/** Share of a long text that is read: about the abstract and the results of an article. */
const DIGEST_SHARE = 0.28;

/**
 * Characters to read of a text: all of a short one, a share of a longer one, limited so that a section's sources fit
 * together.
 */
export function digestChars(chars: number, limits: DigestLimits): number {
  const { maxCharsPerSource, minCharsPerSource, maxTotalChars, pass2FullContentCount } = limits;
  const share = Math.min(Math.ceil(chars * DIGEST_SHARE), Math.floor(maxTotalChars / pass2FullContentCount));
  return Math.min(chars, maxCharsPerSource, Math.max(minCharsPerSource, share));
}

/** Document 002: pass 2 extracts 10–20 findings for a section. */
const TARGET_FINDINGS = { min: 10, max: 20 };
/** Words for each finding of a single-section report (no multi-pass). */
const WORDS_PER_FINDING = 150;

export function targetFindings({
  enableMultiPass,
  targetReportLength,
}: Pick<SynthesisSettings, 'enableMultiPass' | 'targetReportLength'>): { min: number; max: number } {
  if (enableMultiPass) return TARGET_FINDINGS;
  const max = Math.max(TARGET_FINDINGS.max, Math.round(targetReportLength / WORDS_PER_FINDING));
  return { min: TARGET_FINDINGS.min, max };
}

/** Document 004: default threshold above which contexts are compressed, in characters. */
export const COMPRESS_ABOVE_CHARS = 6_000;

const WHOLE_TEXT_SHARE = 1 / 2;

/** Maximum characters of sources read whole: half of the window, at most the caller's threshold for compression. */
export function wholeReadingChars(
  contextTokens: number,
  answers: Pick<AnswerSettings, 'compressAboveChars'> | undefined,
): number {
  const half = charsInWindow(contextTokens, WHOLE_TEXT_SHARE);
  return Math.min(half, answers?.compressAboveChars ?? half);
}

/** Longer texts are written section by section: the limit of good output in one call. */
export const WORDS_IN_ONE_CALL = 2_500;
/** Words of a report for each character of its sources, on top of `BASE_WORDS`. */
const WORDS_PER_CHAR = 1 / 25;
const BASE_WORDS = 400;
export const SUMMARY_AND_LIMITS_WORDS = 600;

export function targetReportWords(
  sources: readonly { contentChars: number }[],
  {
    maxCharsPerSource,
    targetReportLength,
  }: Pick<SynthesisSettings, 'maxCharsPerSource' | 'targetReportLength'>,
): number {
  const chars = sources.reduce((sum, { contentChars }) => sum + Math.min(contentChars, maxCharsPerSource), 0);
  return Math.min(targetReportLength, Math.round((BASE_WORDS + chars * WORDS_PER_CHAR) / 50) * 50);
}

export function targetSectionWords(words: number, sections: number): number {
  return Math.max(150, Math.round((words - SUMMARY_AND_LIMITS_WORDS) / sections / 10) * 10);
}
