import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { withBoundedDepth } from '../../cited-text/markdown/pieces';

const processor = unified().use(remarkParse).use(remarkGfm);

/** As much of a Markdown node as its place takes. */
interface PlacedNode {
  type: string;
  children?: PlacedNode[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** What holds words, links and emphasis, and can hold a mark among them. */
const HOLDERS = new Set(['paragraph', 'heading', 'tableCell']);

/** `&CounterClockwiseContourIntegral;` is the longest there is. */
const LONGEST_REFERENCE = 34;

interface Stretch {
  start: number;
  end: number;
  /** Whether a mark may stand within it, not only behind it. */
  isText: boolean;
}

/**
 * Where a mark behind each of these places changes nothing else of how the Markdown is shown: behind the link, code or
 * emphasis that the place lies in, before a table cell's end; null where there is no such place, as in a block of code.
 */
export function markPlaces(markdown: string, places: readonly number[]): (number | null)[] {
  const stretches: Stretch[] = [];
  collect(processor.parse(withBoundedDepth(markdown)), stretches);
  return places.map((place) => {
    // The last one that begins before the place: a claim's end may lie behind its cell, or behind its item's line.
    const at = lastBefore(stretches, place);
    if (at === undefined || (place > at.end && markdown.slice(at.end, place).replace(/[|\s]/g, '') !== ''))
      return null;
    const inside = at.isText ? whole(markdown, Math.min(place, at.end)) : at.end;
    return inside - (/\s*$/.exec(markdown.slice(at.start, inside))?.[0].length ?? 0);
  });
}

/** Behind the escaped sign or the character reference that the place lies in. */
function whole(markdown: string, place: number): number {
  const before = markdown.slice(Math.max(0, place - LONGEST_REFERENCE), place);
  const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
  if (slashes % 2 === 1) return place + 1;
  const rest = /&#?\w*$/.test(before)
    ? /^#?\w*;/.exec(markdown.slice(place, place + LONGEST_REFERENCE))
    : null;
  return place + (rest?.[0].length ?? 0);
}

function collect(node: PlacedNode, stretches: Stretch[]): void {
  for (const child of node.children ?? []) {
    const [start, end] = [child.position?.start.offset, child.position?.end.offset];
    if (!HOLDERS.has(node.type)) collect(child, stretches);
    else if (start !== undefined && end !== undefined)
      stretches.push({ start, end, isText: child.type === 'text' });
  }
}

function lastBefore(stretches: readonly Stretch[], place: number): Stretch | undefined {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return stretches[low - 1];
}
