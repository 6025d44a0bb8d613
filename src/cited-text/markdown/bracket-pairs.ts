import type { Range } from './blocks';

/** Which bracket closes which, and where code stands, by the place where either begins. */
export interface BracketPairs {
  closes: Map<number, number>;
  code: Map<number, Range>;
}

/** In one pass, whatever the text: brackets in code, and escaped ones, are none. */
export function bracketPairs(raw: string): BracketPairs {
  const closes = new Map<number, number>();
  const code = new Map<number, Range>();
  const open: number[] = [];
  const fences = fencesOf(raw);
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') open.push(at);
    else if (character === ']') {
      const opened = open.pop();
      if (opened !== undefined) closes.set(opened, at);
    } else if (character === '`') {
      const length = runLength(raw, at);
      const end = nextBehind(fences.get(length), at);
      if (end !== undefined) code.set(at, { start: at, end: end + length });
      at = (end ?? at) + length - 1;
    }
  }
  return { closes, code };
}

/** Runs of backticks of one length, of which those before `next` are behind the reader. */
interface Fences {
  places: number[];
  next: number;
}

function fencesOf(raw: string): Map<number, Fences> {
  const fences = new Map<number, Fences>();
  for (const { 0: run, index } of raw.matchAll(/`+/g)) {
    const known = fences.get(run.length);
    if (known === undefined) fences.set(run.length, { places: [index], next: 0 });
    else known.places.push(index);
  }
  return fences;
}

function nextBehind(fences: Fences | undefined, at: number): number | undefined {
  if (fences === undefined) return undefined;
  while ((fences.places[fences.next] ?? Infinity) <= at) fences.next += 1;
  return fences.places[fences.next];
}

function runLength(raw: string, at: number): number {
  let length = 1;
  while (raw.charAt(at + length) === '`') length += 1;
  return length;
}
