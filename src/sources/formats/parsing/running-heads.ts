const LEAST_PAGES = 4;
/** Heads of left and right pages differ: each stands on about half of them. */
const LEAST_SHARE = 0.4;
/** What is longer is text, such as a sentence that is printed on each page of a form. */
const LONGEST_HEAD = 120;
/** How many lines at the top and at the bottom of a page may run through. */
const MOST_LINES = 2;

/** Pages without the lines at their top and bottom that most of them share but for numbers: titles, journals, page numbers. */
export function withoutRunningHeads(pages: readonly string[]): string[] {
  const lines = pages.map((page) => page.split('\n'));
  for (let times = 0; times < MOST_LINES; times += 1)
    for (const edge of [0, -1] as const) dropRunning(lines, edge);
  return lines.map((page) => page.join('\n').trim());
}

function dropRunning(pages: readonly string[][], edge: 0 | -1): void {
  const heads = pages.map((page) => headOf(page.at(edge)));
  const times = new Map<string, number>();
  for (const head of heads) if (head !== null) times.set(head, (times.get(head) ?? 0) + 1);
  const withText = pages.filter((page) => page.some((line) => line !== '')).length;
  if (withText < LEAST_PAGES) return;
  for (const [at, page] of pages.entries()) {
    const head = heads[at] ?? null;
    if (head === null || (times.get(head) ?? 0) < Math.max(LEAST_PAGES / 2, LEAST_SHARE * withText)) continue;
    page.splice(edge, 1);
    while (page.length > 0 && page.at(edge)?.trim() === '') page.splice(edge, 1);
  }
}

/** A line but for its numbers; a number alone is one. */
function headOf(line: string | undefined): string | null {
  const head = (line ?? '').trim();
  return head === '' || head.length > LONGEST_HEAD ? null : head.replace(/\d+/g, '#').toLowerCase();
}
