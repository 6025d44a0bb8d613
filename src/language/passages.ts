import type { Passage } from '../contracts/source/passage';

const MARKDOWN_HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
/** Extracted articles mark their parts as `ABSTRACT.RESULTS:` or `BODY.METHODS.PARTICIPANTS:` on a line of its own. */
const LABEL_HEADING = /^((?=[^\p{Ll}]*$)\p{Lu}[\p{Lu}\p{N} .,:;/&()'’“”"<>=+%*–—-]{2,160}?):{1,2}\s*$/u;
const UNDERLINE = /^(=+|-{2,})\s*$/;

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
      passages.push({
        start,
        end,
        text: content.slice(start, end),
        headings: headings.map((heading) => heading.text),
      });
    }
    start = -1;
  };
  let offset = 0;
  const lines = content.split('\n');
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    const lineStart = offset + (line.length - line.trimStart().length);
    offset += line.length + 1;
    if (trimmed.startsWith('```') || trimmed.startsWith('~~~')) {
      flush();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const heading =
      headingOf(trimmed) ?? (start < 0 ? underlined(trimmed, lines[index + 1]?.trim() ?? '') : null);
    if (trimmed === '' || heading !== null) flush();
    if (heading !== null) headings = [...headings.filter((above) => above.level < heading.level), heading];
    else if (trimmed !== '' && !(start < 0 && UNDERLINE.test(trimmed))) {
      if (start < 0) start = lineStart;
      end = lineStart + trimmed.length;
    }
  }
  flush();
  return passages;
}

function headingOf(line: string): { level: number; text: string } | null {
  if (line.startsWith('#')) {
    const markdown = MARKDOWN_HEADING.exec(line);
    if (markdown) return { level: markdown[1]?.length ?? 1, text: markdown[2] ?? '' };
  }
  const label = line.endsWith(':') && line.length <= 163 ? LABEL_HEADING.exec(line) : null;
  return label ? { level: labelLevel(label[1] ?? ''), text: label[1] ?? '' } : null;
}

/** A part of a label: `BODY.2. METHODS.PARTICIPANTS` has three. */
const PART_START = String.raw`(?:^|\.)(?:\d+\.?\s*)?`;
const STUDY_PART =
  /(?:[A-Z]+,? (?:AND|&) )*(?:MATERIALS?|METHODS?|METHODOLOGY|RESULTS?|FINDINGS|DISCUSSION)(?:\W.*)?/;
const FRAMING_PART = /TITLE|ABSTRACT|BACKGROUND|INTRODUCTION|CONCLUSIONS?/;
const BACK_PART = /REFERENCES|ACKNOWLEDGE?MENTS?|COMPETING INTERESTS?|ABBREVIATIONS/;

/** The parts that an article has at its top level; `BODY.LEG PRESS` after `BODY.RESULTS` belongs to the part before it. */
const TOP_LEVEL = new RegExp(
  String.raw`${PART_START}(?:${FRAMING_PART.source}|${STUDY_PART.source}|${BACK_PART.source})(?:\.|$)`,
);

function labelLevel(label: string): number {
  return TOP_LEVEL.test(label) || /^ABSTRACT\./.test(label) ? 1 : 2;
}

function underlined(line: string, next: string): { level: number; text: string } | null {
  if (line === '' || line.length > 120 || next.length < 3 || !UNDERLINE.test(next)) return null;
  return { level: next.startsWith('=') ? 1 : 2, text: line };
}
