import { type DocumentPart, MAX_PARTS } from './parsed-document';
import { decodeWindows1252, utf16Encoding } from './text-encoding';

// Text of documents: decoding, sections of Markdown, superscripts.

/** The default of browsers for Western pages. */
const FALLBACK_ENCODING = 'windows-1252';

/** UTF-16 if its bytes show it, else UTF-8, else the declared encoding. */
export function decodeWithFallback(bytes: Uint8Array, declared: string | null = null): string {
  const utf16 = utf16Encoding(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs(declared ?? FALLBACK_ENCODING, bytes);
  }
}

const HEADING = /^(#{1,6}) +(.+)$/;
const FENCE = /^ *(`{3,})/;

/** Splits Markdown by headings, whose titles name the parts in citations. */
export function markdownSections(markdown: string): DocumentPart[] {
  const sections: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const name = fence === null ? HEADING.exec(line)?.[2] : undefined;
    if (name !== undefined) sections.push({ name, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  const parts = sections
    .map(({ name, lines }) => ({
      text: lines.join('\n').trim(),
      ...(name === null ? {} : { name: `“${name}”` }),
    }))
    .filter(({ text }) => text !== '');
  return parts.length > MAX_PARTS ? [{ text: markdown.trim() }] : parts;
}

const SUPERSCRIPTS = new Map(
  Array.from('0123456789+-−–n', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ'.charAt(at)]),
);
/** Exponents and charges such as `2−`. */
const EXPONENT = /^(?:[-+−–]?[\dn]+|\d*[-+−–])$/;
/** Note numbers such as `2,3` and `4–6`. */
const NOTE_NUMBERS = /^\d+(?:[,–-]\s?\d+)*$/;

/** Converts exponents (`10⁻³`, `m²`), charges and note numbers; other raised words stay plain. */
export function toSuperscript(words: string): string {
  const signs = EXPONENT.test(words) ? /./g : NOTE_NUMBERS.test(words) ? /\d/g : null;
  return signs === null ? words : words.replace(signs, (sign) => SUPERSCRIPTS.get(sign) ?? sign);
}

const SUBSCRIPTS = new Map(
  Array.from('0123456789+-−–=()aehijklmnoprstuvx', (sign, at) => [
    sign,
    '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'.charAt(at),
  ]),
);

/** Converts digits, signs and single letters (`CO₂`, `xᵢ`); other words stay plain, as in `VO₂max`. */
export function toSubscript(words: string): string {
  if (/^(?:[\d+=()−–-]+|[a-z])$/.test(words))
    return words.replace(/./g, (sign) => SUBSCRIPTS.get(sign) ?? sign);
  return /^\d[\d.,]*\p{L}*$/u.test(words)
    ? words.replace(/\d/g, (digit) => SUBSCRIPTS.get(digit) ?? digit)
    : words;
}

function decodeAs(label: string, bytes: Uint8Array): string {
  const encoding = encodingOf(label);
  return encoding === FALLBACK_ENCODING ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
}

function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return FALLBACK_ENCODING; // unknown encoding name
  }
}
