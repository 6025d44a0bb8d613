import { eitherOf } from '../core/values/either-of';

/** How people write an address so that nobody follows it by chance, and what it stands for. */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/\bhxxp/gi, 'http'],
  [/\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/gi, '.'],
  [/\s?[[({]\s?(?:@|at)\s?[\])}]\s?/gi, '@'],
  [/\[(:\/?\/?)\]/g, '$1'],
];

const ADDRESSES = eitherOf(
  [
    // With a scheme, or of a person.
    /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"“”<>]+/u,
    /[^\s@"“”<>]{1,80}@[\w-]+\.[\w.-]+/u,
    // The name of a host, in small letters: `slept.However` lacks a space.
    /(?<![\p{L}\p{N}.-])(?:[\p{Ll}\p{N}][\p{Ll}\p{N}-]*\.)+\p{Ll}{2,}(?![\p{L}\p{N}])[^\s"“”<>]*/u,
  ],
  'gu',
);

/** The addresses in a text, and what looks like one, that none of the other texts has in any way to write it. */
export function foreignAddresses(text: string, others: readonly string[]): string[] {
  const found = plain(text).match(ADDRESSES);
  if (found === null) return [];
  const known = others.map((other) => plain(other).toLowerCase());
  return found
    .map((address) => address.replace(/[\p{P}]+$/u, ''))
    .filter((address) => !known.some((other) => other.includes(address.toLowerCase())));
}

function plain(text: string): string {
  let written = text.normalize('NFKC');
  for (const [pattern, sign] of DEFANGED) written = written.replace(pattern, sign);
  return written;
}
