import { isAddress } from '../pages/page-reader';
import { referenceTo, type ReferenceReading } from './reference';

/** A `.txt` whose every line is an address, or empty, or a remark that begins with `#`; a note with an address in it is a note. */
export function linkList(text: string): ReferenceReading[] | null {
  const lines = numbered(text).filter(({ line }) => line !== '' && !line.startsWith('#'));
  const isList = lines.length > 0 && lines.every(({ line }) => isAddress(line) && !/\s/.test(line));
  return isList ? lines.map(({ line, number }) => referenceTo(line, number)) : null;
}

/** A shortcut, as Windows and browsers save them. */
export function shortcut(text: string): ReferenceReading[] | null {
  const links = numbered(text).flatMap(({ line, number }) =>
    (/^URL=(.+)$/i.exec(line)?.slice(1) ?? []).map((address) => referenceTo(address, number)),
  );
  return links.length === 0 ? null : links;
}

function numbered(text: string): { line: string; number: number }[] {
  return text.split(/\r\n?|\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }));
}
