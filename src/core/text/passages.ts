import type { Passage } from '../contracts/passage';

const MARKDOWN_HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
/** Extracted articles mark their parts as `ABSTRACT.RESULTS:` or `BODY.METHODS.PARTICIPANTS:` on a line of its own. */
const LABEL_HEADING = /^([A-Z][A-Z0-9 .,/&()'’-]{2,120}):\s*$/;

/**
 * Splits a source into its paragraphs, in order. Headings are not passages; each passage knows those above it. Blank
 * lines, headings and fenced code end a paragraph.
 */
export function splitPassages(content: string): Passage[] {
  const passages: Passage[] = [];
  let headings: { level: number; text: string }[] = [];
  let start = -1;
  let end = -1;
  let fenced = false;
  const flush = (): void => {
    if (start >= 0) {
      passages.push({ start, end, text: content.slice(start, end), headings: headings.map((heading) => heading.text) });
    }
    start = -1;
  };
  let offset = 0;
  for (const line of content.split('\n')) {
    const trimmed = line.trim();
    const lineStart = offset + (line.length - line.trimStart().length);
    offset += line.length + 1;
    if (/^(```|~~~)/.test(trimmed)) {
      flush();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const heading = headingOf(trimmed);
    if (trimmed === '' || heading !== null) flush();
    if (heading !== null) headings = [...headings.filter((above) => above.level < heading.level), heading];
    else if (trimmed !== '') {
      if (start < 0) start = lineStart;
      end = lineStart + trimmed.length;
    }
  }
  flush();
  return passages;
}

function headingOf(line: string): { level: number; text: string } | null {
  const markdown = MARKDOWN_HEADING.exec(line);
  if (markdown) return { level: markdown[1]?.length ?? 1, text: markdown[2] ?? '' };
  const label = LABEL_HEADING.exec(line);
  return label ? { level: 1, text: label[1] ?? '' } : null;
}
