import type { WrittenText } from '../../contracts/draft';
import { plainText, textOfParts } from '../../evidence/written-text';
import { maxOf } from '../../lib/iterables';
import { sentenceKey } from '../../text/duplicates';
import { terms } from '../../text/words';
import { isBibliographyHeading } from '../cited-markdown/bibliography-entry';

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
/** `1. `, `II) `, `2.3 `: models number headings. */
const NUMBERING = /^\s*(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+/i;
const MIN_TITLE_SIMILARITY = 0.6;

interface TitledPart {
  id: string;
  title: string;
}

interface Chapter {
  /** Null if the heading is no part's title. */
  partId: string | null;
  /** Heading level from 1; 0 for the text before the first heading. */
  depth: number;
  lines: string[];
}

/**
 * Parses a model's Markdown of a brief. A heading with the title of a part opens that part at any level. Any other heading opens the
 * next part if no heading names it, else its text continues the part before. Headings within parts and a source list are dropped.
 * Missing parts stay empty.
 */
export function parseBriefText(
  markdown: string,
  { parts, title }: { parts: readonly TitledPart[]; title: string },
): WrittenText {
  const { title: own, chapters } = parseChapters(markdown, parts);
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

function parseChapters(
  markdown: string,
  parts: readonly TitledPart[],
): { title: string | null; chapters: Chapter[] } {
  let title: string | null = null;
  let isListOfSources = false;
  const chapters: Chapter[] = [{ partId: null, depth: 0, lines: [] }];
  const lines = markdown.split('\n');
  const exact = new Set(
    lines.flatMap((line) => partByTitle(plainText(HEADING.exec(line)?.[2] ?? ''), parts)?.id ?? []),
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
      partByTitle(heading, left) ??
      similarPart(
        heading,
        left.filter(({ id }) => !exact.has(id)),
      );
    const partId = part?.id ?? null;
    isListOfSources = partId === null && isBibliographyHeading(heading);
    const isTitle = partId === null && signs.length === 1 && title === null && chapters.length === 1;
    if (isTitle) title = heading;
    else if (!isListOfSources) chapters.push({ partId, depth: signs.length, lines: [] });
  }
  return { title, chapters };
}

function partByTitle(heading: string, parts: readonly TitledPart[]): TitledPart | undefined {
  const keys = [heading, heading.replace(NUMBERING, '')].map(sentenceKey);
  return parts.find(({ title }) => keys.includes(sentenceKey(title)));
}

function similarPart(heading: string, parts: readonly TitledPart[]): TitledPart | undefined {
  const own = new Set(terms(heading));
  const scores = parts.map(({ title }) => {
    const words = new Set(terms(title));
    const shared = [...own].filter((word) => words.has(word)).length;
    return (2 * shared) / Math.max(1, own.size + words.size);
  });
  const best = maxOf(scores);
  return best >= MIN_TITLE_SIMILARITY ? parts[scores.indexOf(best)] : undefined;
}
