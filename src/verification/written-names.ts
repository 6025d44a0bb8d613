/** What stands between the parts of a name, or nothing: `GPT-3`, `GPT 3` and `GPT3`, `CommonCrawl` and `Common Crawl`. */
const JOINT = String.raw`[\s\-‐‑–/]?`;
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/** A shorter name is a part of too many words, and in small letters another word: `US`. */
const SHORTEST_PART = 4;

/** Whether a text has a name as it is written, however its parts are joined there. */
export function isWrittenIn(name: string, texts: readonly string[]): boolean {
  const parts = name.match(PART) ?? [];
  if (parts.length === 0) return false;
  const isShort = parts.join('').length < SHORTEST_PART;
  const behind = isShort ? String.raw`s?(?![\p{L}\p{N}])` : '';
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${parts.join(JOINT)}${behind}`,
    isShort ? 'u' : 'iu',
  );
  return texts.some((text) => pattern.test(text));
}
