import { CHARS_AROUND_SOURCE, charsInWindow } from '../contracts/budget';
import type { ModelChoices } from '../contracts/run-input';
import type { AnswerSettings, SynthesisSettings } from '../contracts/run-settings';
import { groupedBy, parted } from '../lib/iterables';

/** A group ends after so many characters at the first source whose id says so, and at so many in any case. */
const LEAST_CHARS = 36_000;
const MOST_CHARS = 60_000;
const ENDS_ONE_IN = 3;
/** Passages stand in a prompt under their headings, which take so much more. */
const HEADINGS_SHARE = 0.06;

/** Sources that are read whole take this much of a window at most; the rest is for findings, text and answers. */
const WHOLE_SHARE = 1 / 2;

interface ReadableSize {
  id: string;
  contentChars: number;
}

interface ReadingLimits {
  settings: DigestLimits;
  /** Null where no model's window limits a group. */
  contextTokens: number | null;
}

/**
 * Sources in groups that are sent together, in their order. Where a group ends is decided by the id of the source that ends
 * it, so that a source that comes or goes changes its own group and leaves the others as they were paid for.
 */
export function readingGroups<Source extends ReadableSize>(
  sources: readonly Source[],
  { settings, contextTokens }: ReadingLimits,
): Source[][] {
  const room = contextTokens === null ? Infinity : charsInWindow(contextTokens) * (1 - HEADINGS_SHARE);
  const most = Math.min(MOST_CHARS, settings.maxTotalChars, room);
  const groups: Source[][] = [];
  let chars = Infinity;
  for (const source of sources) {
    const own = charsInGroup(source, settings);
    const last = groups.at(-1)?.at(-1);
    const ends = last !== undefined && chars >= Math.min(LEAST_CHARS, most) && isEnd(last.id);
    if (ends || chars + own > most) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(source);
    chars += own;
  }
  return groups;
}

/**
 * True if all sources are read whole in one call: no source is longer than the settings allow, and all of them take half of the
 * smallest window at most.
 */
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

/** The smallest window of a run's models: they are to read the same groups. */
export function smallestWindow(models: ModelChoices | null | undefined): number | null {
  if (!models) return null;
  const { fast, strong, overview, deepDive } = models;
  return Math.min(...[fast, strong, overview, deepDive].flatMap((model) => model?.contextTokens ?? []));
}

/** FNV-1a over the id's UTF-16 units: the same on every machine. */
function isEnd(id: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) % ENDS_ONE_IN === 0;
}

/** A group of which so much is wanted is read whole: how its prompt begins was paid for when it was summarised. */
const WHOLE_FROM = 1 / 2;
/** A group is sent once, but where it is so long that its sections would have too little of one answer. */
const CHARS_A_CALL = 60_000;

/** Pass 2 asks for no more findings in a call, and for no fewer. */
const MOST_FINDINGS = 40;
const FEWEST_FINDINGS = 6;
/** A text has a finding for about so many of its characters at most: more are not asked of it. */
const CHARS_A_FINDING = 300;
/** The best of what all calls find is kept, so that more is asked for than there is room for. */
const SPARE = 1.5;

export interface ReadingCall {
  sourceIds: string[];
  sectionIds: string[];
}

/** A call for each group of sources, or more where a group is long. `wantedBy` are the sources that each section is to read. */
export function callsByGroups(
  all: readonly (ReadableSize & { group?: string | undefined })[],
  wantedBy: readonly { sectionId: string; sourceIds: readonly string[] }[],
  limits: ReadingLimits,
): ReadingCall[] {
  const sectionsOf = groupedBy(
    wantedBy.flatMap(({ sectionId, sourceIds }) => sourceIds.map((sourceId) => ({ sectionId, sourceId }))),
    ({ sourceId }) => sourceId,
  );
  const charsOf = (sources: readonly ReadableSize[]): number =>
    sources.reduce((sum, source) => sum + charsInGroup(source, limits.settings), 0);
  const groups = [...groupedBy(all, ({ group }) => group).entries()].flatMap(([name, group]) =>
    // Where they were not read together before, as they would have been.
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
    return parted(sectionIds, Math.ceil(sectionIds.length / Math.ceil(charsOf(sources) / CHARS_A_CALL))).map(
      (part) => ({ sourceIds: sources.map(({ id }) => id), sectionIds: part }),
    );
  });
}

/** How many findings a call of pass 2 is asked for at most, of sources with so many characters. */
export function findingsOfCall({
  chars,
  wanted,
  sections,
  calls,
}: {
  chars: number;
  /** For each section. */
  wanted: number;
  sections: number;
  /** All of pass 2. */
  calls: number;
}): number {
  const most = Math.min(MOST_FINDINGS, Math.max(1, Math.ceil(chars / CHARS_A_FINDING)));
  return Math.round(Math.min(most, Math.max(FEWEST_FINDINGS, (SPARE * wanted * sections) / calls)));
}

export type DigestLimits = Pick<
  SynthesisSettings,
  'maxCharsPerSource' | 'minCharsPerSource' | 'maxTotalChars' | 'pass2FullContentCount'
>;

/** Of a long text so much is read: about as much of an article as its abstract and its results have. */
const DIGEST_SHARE = 0.28;

/**
 * How much of a text of `chars` characters is read: all of a short one, of a longer one the part that says most; no more than
 * leaves room for as many sources as a section reads.
 */
export function digestChars(chars: number, limits: DigestLimits): number {
  const { maxCharsPerSource, minCharsPerSource, maxTotalChars, pass2FullContentCount } = limits;
  const share = Math.min(Math.ceil(chars * DIGEST_SHARE), Math.floor(maxTotalChars / pass2FullContentCount));
  return Math.min(chars, maxCharsPerSource, Math.max(minCharsPerSource, share));
}

/** Document 002: pass 2 extracts 10–20 findings for a section. */
const WANTED_FINDINGS = { min: 10, max: 20 };
/** Without the passes a report has one section, with a finding for about so many of its words. */
const WORDS_A_FINDING = 150;

export function wantedFindings({
  enableMultiPass,
  targetReportLength,
}: Pick<SynthesisSettings, 'enableMultiPass' | 'targetReportLength'>): { min: number; max: number } {
  if (enableMultiPass) return WANTED_FINDINGS;
  const max = Math.max(WANTED_FINDINGS.max, Math.round(targetReportLength / WORDS_A_FINDING));
  return { min: WANTED_FINDINGS.min, max };
}

/** Document 004: contexts of more characters are compressed, where the settings say nothing else. */
export const COMPRESS_ABOVE_CHARS = 6_000;

/** Sources that take no more of the model's window are read whole. */
const WHOLE_TEXT_SHARE = 1 / 2;

/** Sources of so many characters are read whole: half of the model's window, and no more than the caller has left uncompressed. */
export function charsReadWhole(
  contextTokens: number,
  answers: Pick<AnswerSettings, 'compressAboveChars'> | undefined,
): number {
  const half = charsInWindow(contextTokens, WHOLE_TEXT_SHARE);
  return Math.min(half, answers?.compressAboveChars ?? half);
}

/** A text of more words is written section by section: what a model writes well in one go. */
export const WORDS_IN_ONE_CALL = 2_500;
/** A report has so many words to a character of its sources, beside its frame. */
const WORDS_A_CHAR = 1 / 25;
const FRAME_WORDS = 400;
export const SUMMARY_AND_LIMITS_WORDS = 600;

/** How many words a report by a model is to have. */
export function wordsOfReport(
  sources: readonly { contentChars: number }[],
  {
    maxCharsPerSource,
    targetReportLength,
  }: Pick<SynthesisSettings, 'maxCharsPerSource' | 'targetReportLength'>,
): number {
  const chars = sources.reduce((sum, { contentChars }) => sum + Math.min(contentChars, maxCharsPerSource), 0);
  return Math.min(targetReportLength, Math.round((FRAME_WORDS + chars * WORDS_A_CHAR) / 50) * 50);
}

/** How many words each of the sections has, where they are written one by one. */
export function wordsOfSection(words: number, sections: number): number {
  return Math.max(150, Math.round((words - SUMMARY_AND_LIMITS_WORDS) / sections / 10) * 10);
}
