/** Runs of letters or digits; a decimal is one token, what a hyphen joins are two. */
const TOKEN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:\p{N}+[\p{L}\p{M}]*)*/gu;
/** The same in ASCII, which most texts are: it takes half the time. */
const ASCII_TOKEN = /\d+(?:[.,]\d+)*|[a-z]+(?:\d+[a-z]*)*/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** Where the scripts begin that put no space between words: texts of other scripts are seldom looked at more closely. */
const BEYOND_SPACED = /[\u0e00-\u1fff\u2e80-\uffff]/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Whether words of the text are not parted by spaces, so that they must be looked for. */
export function isUnspaced(text: string): boolean {
  return BEYOND_SPACED.test(text) && UNSPACED.test(text);
}

/**
 * The tokens of a text in lower case, in order, as texts are compared by: words without hyphens and apostrophes, numbers
 * without the commas of their thousands (`10,000` is `10000`).
 */
export function tokensOf(text: string): string[] {
  const isAscii = !BEYOND_ASCII.test(text);
  const tokens = text.toLowerCase().match(isAscii ? ASCII_TOKEN : TOKEN) ?? [];
  const plain = tokens.map((token) => (isThousands(token) ? token.replaceAll(',', '') : token));
  return !isAscii && isUnspaced(text) ? plain.flatMap(segmented) : plain;
}

function isThousands(token: string): boolean {
  return token.includes(',') && /^\d/.test(token);
}

function segmented(token: string): string[] {
  if (!isUnspaced(token)) return [token];
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(token)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
