import data from './data/back-matter-headings.json';
import { STOP_WORDS } from './words';

const HEADINGS = data.headings.map((heading) => heading.split(' '));
const AROUND: ReadonlySet<string> = new Set(data.around);
const MOST_WORDS = 12;

const known = new Map<string, boolean>();

/** True where one of the headings above a passage says that it is not the document's own account: references, thanks, rights. */
export function isBackMatter(headings: readonly string[]): boolean {
  return headings.some((heading) => {
    const cached = known.get(heading);
    if (cached !== undefined) return cached;
    // A heading may hold a path of its own: `BODY.COMPETING INTERESTS`.
    const answer = heading.split(/\.(?=\S)/).some(namesBackMatter);
    if (known.size > 20_000) known.clear();
    known.set(heading, answer);
    return answer;
  });
}

/** Every word counts, so that `Funding and acknowledgements` is back matter, and `Funding of small firms` is not. */
function namesBackMatter(part: string): boolean {
  let words = wordsOf(part);
  if (words.length > MOST_WORDS) return false;
  let found = false;
  while (words.length > 0) {
    const named = HEADINGS.find((heading) => heading.every((word, at) => words[at] === word));
    if (named === undefined && !mayStandAround(words[0] ?? '')) return false;
    found ||= named !== undefined;
    words = words.slice(named?.length ?? 1);
  }
  return found;
}

function mayStandAround(word: string): boolean {
  return STOP_WORDS.has(word) || AROUND.has(word);
}

/** In lower case and the singular: `Authors’ contributions` is `author contribution`. */
function wordsOf(part: string): string[] {
  const words = part.toLowerCase().match(/\p{L}+(?:['’]s)?/gu) ?? [];
  return words.map((word) => word.replace(/['’]?s$/, ''));
}
