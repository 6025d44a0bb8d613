import { MOST_PARTS } from './parse-limits';
import type { DocumentPart } from './parsed-document';

const HEADING = /^(#{1,6}) +(.+)$/;
const FENCE = /^ *(`{3,})/;

/** A Markdown text by its headings, each part named by its own: what a citation of a page without pages can name. */
export function sectionsOf(markdown: string): DocumentPart[] {
  const sections: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const name = fence === null ? HEADING.exec(line)?.[2] : undefined;
    if (name !== undefined) sections.push({ name, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  const parts = sections
    .map(({ name, lines }) => ({
      text: lines.join('\n').trim(),
      ...(name === null ? {} : { name: `“${name}”` }),
    }))
    .filter(({ text }) => text !== '');
  return parts.length > MOST_PARTS ? [{ text: markdown.trim() }] : parts;
}
