import { charsInWindow, CHARS_AROUND_SOURCE } from '../budget/call-estimates';
import type { ModelChoices } from '../../contracts/run/run-input';
import { digestChars, type DigestLimits } from './digest-chars';

/** A group ends after so many characters at the first source whose id says so, and at so many in any case. */
const LEAST_CHARS = 36_000;
const MOST_CHARS = 60_000;
const ENDS_ONE_IN = 3;
/** Passages stand in a prompt under their headings, which take so much more. */
const HEADINGS_SHARE = 0.06;

/** Sources that are read whole take this much of a window at most; the rest is for findings, text and answers. */
const WHOLE_SHARE = 1 / 2;

export interface ReadableSize {
  id: string;
  contentChars: number;
}

export interface ReadingLimits {
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

export function charsInGroup({ contentChars }: ReadableSize, settings: ReadingLimits['settings']): number {
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
