import data from './data/bounds.json';

/** How a number is meant: as it stands, or as a bound of another, or about as much. */
export type Bound = 'exact' | 'above' | 'below' | 'near';

const BEFORE = new RegExp(
  `(?<!\\p{L})(?:(${joined(data.above)})|(${joined(data.below)})|(${joined(data.near)}))(?:\\s+(?:a|the|an))?\\s*[$€£]?\\s*$`,
  'iu',
);
const ABOUT = /[~≈]$/;
const FARTHEST = 30;

/** What the words right before a number make of it: `over 400`, `within two weeks`, `≈ 5`. */
export function boundBefore(text: string, start: number): Bound {
  const before = text.slice(Math.max(0, start - FARTHEST), start);
  if (ABOUT.test(before.trimEnd())) return 'near';
  const match = BEFORE.exec(before);
  if (match === null) return 'exact';
  if (match[1] !== undefined) return 'above';
  return match[2] === undefined ? 'near' : 'below';
}

function joined(phrases: readonly string[]): string {
  return [...phrases].sort((a, b) => b.length - a.length).join('|');
}
