import { isAddress } from '../pages/told-address';
import { referenceTo, type ReferenceReading } from './reference';

/** A `.txt` whose every line is an address, or empty, or a remark that begins with `#`; a note with an address in it is a note. */
export function linkList(text: string): ReferenceReading[] | null {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const isList = lines.length > 0 && lines.every(({ line }) => isAddress(line) && !/\s/.test(line));
  return isList ? lines.map(({ line, number }) => referenceTo(line, number)) : null;
}
