import { readGivenText } from '../../platform/given-text';
import { isAddress } from './page-reader';

/** How names of files end that may be lists of links. */
const LINK_ENDINGS = ['.txt', '.url'];

/** Tens of thousands of addresses. */
const BOUNDS = { maxBytes: 4 * 1024 * 1024, otherwise: 'split it into several files' };

/**
 * The addresses of a file of links that was named itself: a `.txt` whose every line is one, or empty, or a remark that begins with `#`;
 * or a shortcut, `.url`. Null for any other file: a note with an address in it is a note.
 */
export async function linksIn(file: string, ending: string): Promise<string[] | null> {
  if (!LINK_ENDINGS.includes(ending)) return null;
  const given = await readGivenText(file, BOUNDS);
  if (!given.ok) return null;
  const lines = given.text.split(/\r\n?|\n/).map((line) => line.trim());
  if (ending === '.url') {
    const links = lines.flatMap((line) => /^URL=(.+)$/i.exec(line)?.slice(1) ?? []);
    return links.length === 0 ? null : links;
  }
  const links = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return links.length > 0 && links.every((line) => isAddress(line) && !/\s/.test(line)) ? links : null;
}
