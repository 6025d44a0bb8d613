/** Where a claim stands in a passage word for word; places in the passage's text. */
export interface VerbatimPlace {
  passage: number;
  start: number;
  end: number;
}

const BEFORE = /(?:^|[.!?:;。！？；：…\n|•"“(\]]\s*|\s[-*]\s+)$/u;
const AFTER = /^["”’)\]]*(?:$|\s*[.!?;:。！？；：…\n|"”([]|\s*$)/u;
const AROUND = 8;

/**
 * The first place where the claim stands as a sentence of its own, as it is written but for white space; null where it is only
 * a part of one, of which the rest may take it back.
 */
export function verbatimPlace(
  claim: string,
  passages: readonly { passage: number; text: string }[],
): VerbatimPlace | null {
  const wanted = claim.replace(/[\s.!?。！？…]+$/u, '').trim();
  if (wanted === '') return null;
  const pieces = wanted.split(/\s+/);
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one), '');
  for (const { passage, text } of passages) {
    if (!text.includes(longest)) continue;
    const exact = /\s{2}|[\n\t]/.test(text) ? placeOf(pieces, text) : plainPlace(pieces.join(' '), text);
    if (exact !== null) return { passage, ...exact };
  }
  return null;
}

type Place = Omit<VerbatimPlace, 'passage'>;

function plainPlace(wanted: string, text: string): Place | null {
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (standsAlone(text, start, end)) return { start, end };
  }
  return null;
}

/** White space may be of any kind and length between the pieces. */
function placeOf(pieces: readonly string[], text: string): Place | null {
  const [first = '', ...rest] = pieces;
  for (let start = text.indexOf(first); start >= 0; start = text.indexOf(first, start + 1)) {
    let end = start + first.length;
    const isHere = rest.every((piece) => {
      let at = end;
      while (/\s/.test(text.charAt(at))) at += 1;
      if (at === end || !text.startsWith(piece, at)) return false;
      end = at + piece.length;
      return true;
    });
    if (isHere && standsAlone(text, start, end)) return { start, end };
  }
  return null;
}

function standsAlone(text: string, start: number, end: number): boolean {
  return (
    BEFORE.test(text.slice(Math.max(0, start - AROUND), start)) && AFTER.test(text.slice(end, end + AROUND))
  );
}
