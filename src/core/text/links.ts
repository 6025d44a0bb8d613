/** Markdown's links to addresses of the web: `[Planck 2018](https://arxiv.org/abs/1807.06209)`. */
const LINK = /\[([^[\]]{1,200})\]\((?:https?:\/\/|www\.)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)/gi;
/** An address that stands in a text by itself; what ends a sentence is none of it. */
const BARE = /\b(?:https?:\/\/|www\.)\S*[^\s.,;:!?'"”’)\]}>]/gi;
/** A link of a citation's number shows its brackets, as the number alone does. */
const NUMBER = /^\^?\d{1,4}$/;

interface Stretch {
  start: number;
  end: number;
}

/** What a reader of links does not see: the brackets around their words, and the addresses behind these. */
export function unseenInLinks(text: string): Stretch[] {
  if (!text.includes('](')) return [];
  return [...text.matchAll(LINK)].flatMap(({ 0: link, 1: words = '', index: start }) => {
    const [from, end] = [start + 1 + words.length, start + link.length];
    return NUMBER.test(words)
      ? [{ start: from + 1, end }]
      : [
          { start, end: start + 1 },
          { start: from, end },
        ];
  });
}

export function seenText(text: string): string {
  return without(text, unseenInLinks(text), () => '');
}

/** A text as it is read for what it says: spaces in the place of its addresses and of what is not seen, every offset as it was. */
export function withoutAddresses(text: string): string {
  const spaces = (hidden: string): string => ' '.repeat(hidden.length);
  return without(text, unseenInLinks(text), spaces).replace(BARE, spaces);
}

function without(text: string, stretches: readonly Stretch[], put: (hidden: string) => string): string {
  return stretches.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + put(rest.slice(start, end)) + rest.slice(end),
    text,
  );
}
