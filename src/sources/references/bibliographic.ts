import { bareDoi, doiAddress } from '../../core/sources/work-ids';
import { isWebAddress } from '../parse-record';

/** Where an entry of a bibliography lies: the first of its links that is an address of the web, else its DOI's. */
export function addressOf(links: readonly (string | undefined)[], doi: string | undefined): string | null {
  const plain = bareDoi(doi ?? '');
  const link = links.map((one) => one?.trim()).find(isWebAddress);
  if (link !== undefined || plain === null) return link ?? null;
  return doiAddress(plain);
}

/** A name as bibliographies part it: family, perhaps a suffix, given. */
export type NameParts = readonly string[];

/** Names as they are read in sources: of several the family stands first, and one alone is written as people write it. */
export function authorsOf(names: readonly NameParts[], hasOthers = false): string | undefined {
  const parted = names
    .map((parts) => parts.map((part) => part.trim()).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0);
  const [[family = '', ...rest] = []] = parted;
  const told =
    parted.length === 1
      ? [rest.at(-1) ?? '', family, ...rest.slice(0, -1)].filter((part) => part !== '').join(' ')
      : parted
          .map(([own = '', ...others]) => [own, others.reverse().join(' ')].filter(Boolean).join(', '))
          .join('; ');
  return told === '' ? undefined : `${told}${hasOthers ? ' et al.' : ''}`;
}

/** `2019`, `2019-03` or `2019-03-12`, as far as it is told. */
export function dateOf([year = '', month = '', day = '']: readonly string[]): string | undefined {
  if (!/^\d{4}$/.test(year.trim())) return year.trim() === '' ? undefined : year.trim();
  const parts = [year, month, day].map((part) => part.trim().padStart(2, '0'));
  const end = parts.findIndex((part) => !/^(?:\d{4}|0[1-9]|[12]\d|3[01])$/.test(part));
  return (end < 0 ? parts : parts.slice(0, end)).join('-');
}
