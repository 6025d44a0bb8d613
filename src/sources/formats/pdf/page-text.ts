/** A run of signs on a page, as a PDF gives it; coordinates begin at the bottom left. */
export interface PageItem {
  text: string;
  y: number;
  fontSize: number;
  endsLine: boolean;
}

interface PageLine {
  text: string;
  y: number;
  fontSize: number;
}

/** Lines further apart than so many sizes of their signs belong to different paragraphs; within one it is 1.0 to 1.5. */
const PARAGRAPH_GAP = 1.7;
/** A heading's signs are so much larger than those of its text. */
const HEADING_SIZE = 1.15;

/** A page's text: its lines, with a blank one between paragraphs and behind headings. */
export function pageText(items: readonly PageItem[]): string {
  let text = '';
  let before: PageLine | null = null;
  for (const line of linesOf(items)) {
    if (before !== null) text += isNewParagraph(before, line) ? '\n\n' : '\n';
    text += line.text;
    before = line;
  }
  return text;
}

function linesOf(items: readonly PageItem[]): PageLine[] {
  const lines: PageLine[] = [];
  let open: PageLine | null = null;
  for (const { text, y, fontSize, endsLine } of items) {
    if (text.trim() !== '' && open === null) open = { text: '', y, fontSize };
    if (open !== null) open.text += text;
    if (!endsLine || open === null) continue;
    lines.push(open);
    open = null;
  }
  if (open !== null) lines.push(open);
  return lines
    .map((line) => ({ ...line, text: line.text.replace(/[^\S\n]+/g, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

function isNewParagraph(before: PageLine, line: PageLine): boolean {
  const larger = Math.max(before.fontSize, line.fontSize);
  const smaller = Math.max(1, Math.min(before.fontSize, line.fontSize));
  // A line that stands higher than the one before begins another column.
  const gap = before.y - line.y;
  return gap < 0 || gap > PARAGRAPH_GAP * larger || larger / smaller > HEADING_SIZE;
}
