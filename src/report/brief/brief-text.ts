import type { WrittenText } from '../../contracts/draft';
import { plainText, textOfParts } from '../../evidence/written-text';
import { greatest } from '../../lib/iterables';
import { sentenceKey } from '../../text/duplicates';
import { terms } from '../../text/words';
import { namesBibliography } from '../cited-markdown/bibliography-entry';

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
/** `1. `, `II) `, `2.3 `: models number headings. */
const NUMBERING = /^\s*(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+/i;
/** A heading with this share of the words of both means the same. */
const ALIKE = 0.6;

interface TitledPart {
  id: string;
  title: string;
}

/** What stands under a heading. */
interface Chapter {
  /** Null where the heading is no part's title. */
  partId: string | null;
  /** Of the heading, from 1; 0 for what stands before the first. */
  depth: number;
  lines: string[];
}

/**
 * Reads a model's Markdown of a brief. A heading that is the title of a part opens it, at whatever level; any other opens the part
 * that comes next if no heading names that one, else its text goes on with the part before. Headings within parts, and a list of
 * sources, are dropped. Parts that the text lacks are lacking. Pure.
 */
export function readBriefText(
  markdown: string,
  { parts, title }: { parts: readonly TitledPart[]; title: string },
): WrittenText {
  const { title: own, chapters } = chaptersOf(markdown, parts);
  const texts = new Map<string, string[]>();
  const named = new Set(chapters.flatMap(({ partId }) => partId ?? []));
  let open = { at: -1, depth: 6 };
  for (const { partId, depth, lines } of chapters) {
    const text = lines.join('\n').trim();
    if (text === '') continue;
    const next = parts[open.at + 1];
    const opensNext = next !== undefined && !named.has(next.id) && depth <= open.depth;
    const other = opensNext ? open.at + 1 : Math.max(0, open.at);
    const at = partId === null ? other : parts.findIndex(({ id }) => id === partId);
    if (at !== open.at) open = { at, depth: Math.max(1, depth) };
    const id = parts[at]?.id ?? '';
    texts.set(id, [...(texts.get(id) ?? []), text]);
  }
  return textOfParts(
    own ?? title,
    parts.map((part) => ({ ...part, markdown: (texts.get(part.id) ?? []).join('\n\n') })),
  );
}

function chaptersOf(
  markdown: string,
  parts: readonly TitledPart[],
): { title: string | null; chapters: Chapter[] } {
  let title: string | null = null;
  let isListOfSources = false;
  const chapters: Chapter[] = [{ partId: null, depth: 0, lines: [] }];
  const lines = markdown.split('\n');
  const exact = new Set(
    lines.flatMap((line) => titledBy(plainText(HEADING.exec(line)?.[2] ?? ''), parts)?.id ?? []),
  );
  for (const line of lines) {
    const [, signs = '', written = ''] = HEADING.exec(line) ?? [];
    if (signs === '') {
      if (!isListOfSources) chapters.at(-1)?.lines.push(line);
      continue;
    }
    const heading = plainText(written);
    const opened = new Set(chapters.map(({ partId }) => partId));
    const left = parts.filter(({ id }) => !opened.has(id));
    const part =
      titledBy(heading, left) ??
      nearestTo(
        heading,
        left.filter(({ id }) => !exact.has(id)),
      );
    const partId = part?.id ?? null;
    isListOfSources = partId === null && namesBibliography(heading);
    const isTitle = partId === null && signs.length === 1 && title === null && chapters.length === 1;
    if (isTitle) title = heading;
    else if (!isListOfSources) chapters.push({ partId, depth: signs.length, lines: [] });
  }
  return { title, chapters };
}

/** The part whose title a heading is, numbered or not. */
function titledBy(heading: string, parts: readonly TitledPart[]): TitledPart | undefined {
  const keys = [heading, heading.replace(NUMBERING, '')].map(sentenceKey);
  return parts.find(({ title }) => keys.includes(sentenceKey(title)));
}

/** The part whose title is nearly in the words of a heading. */
function nearestTo(heading: string, parts: readonly TitledPart[]): TitledPart | undefined {
  const own = new Set(terms(heading));
  const scores = parts.map(({ title }) => {
    const words = new Set(terms(title));
    const shared = [...own].filter((word) => words.has(word)).length;
    return (2 * shared) / Math.max(1, own.size + words.size);
  });
  const best = greatest(scores);
  return best >= ALIKE ? parts[scores.indexOf(best)] : undefined;
}
