import data from '../data/bibliography-headings.json';

const HEADINGS: ReadonlySet<string> = new Set(data.headings);
const BESIDE: ReadonlySet<string> = new Set([...data.around, ...data.joints]);
const LONGEST = 60;
const LONGEST_WITH_ATTRIBUTES = 500;
/** `7. References`, `VII) …`, `七、参考文献`, `§ 5 …`; signs and pictures before it. */
const NUMBERING =
  /^(?:[^\p{L}\p{N}]*(?:\d+(?:\.\d+)*|[ivx]+(?=[.)])|[一二三四五六七八九十]+(?=[、.．]))[.)、．:\s]*)?[^\p{L}]*/u;
/** `{#refs .unnumbered}`: attributes of a heading. */
const ATTRIBUTES = /\s*\{[^{}]*\}\s*$/u;
const BEHIND = /[^\p{L}]+$/u;
const BRACKETED = /[（([][^（）()[\]]*[）)\]]\s*[:：]?$/u;

export function namesBibliography(heading: string): boolean {
  // What is searched from every place of a text to its end takes the square of its length.
  if (heading.length > LONGEST_WITH_ATTRIBUTES) return false;
  const plain = heading.replace(ATTRIBUTES, '');
  if (plain.length > LONGEST) return false;
  const name = plain
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(BRACKETED, '')
    .replace(NUMBERING, '')
    .replace(BEHIND, '');
  if (HEADINGS.has(name)) return true;
  // `Literatur- und Quellenverzeichnis`: a word whose second part comes later.
  const parts = name.split(/\s*[&/与和及]\s*|-?\s+/u).filter((part) => part !== '');
  return isMadeOfNames(parts);
}

/** `Sources and further reading`: names, and what may stand beside one. */
function isMadeOfNames(words: readonly string[]): boolean {
  let found = false;
  for (let at = 0; at < words.length;) {
    const length = [3, 2, 1].find((many) => HEADINGS.has(words.slice(at, at + many).join(' ')));
    if (length === undefined && !BESIDE.has(words[at] ?? '')) return false;
    found ||= length !== undefined;
    at += length ?? 1;
  }
  return found;
}
