import { type FileBounds, readGivenFile } from '../../platform/given-file';
import { givenTextOf } from '../../platform/given-text';
import { bibtexReferences } from './bibtex';
import { linkList } from './link-list';
import type { ReferenceReading } from './reference';
import { risReferences } from './ris';

/** Tens of thousands of addresses, and thousands of abstracts. */
const BOUNDS: FileBounds = { maxBytes: 16 * 1024 * 1024, otherwise: 'split it into several files' };

/** How names of files end that may name sources, and what reads them; null where they hold something else. */
const LISTS: Readonly<Record<string, (text: string) => ReferenceReading[] | null>> = {
  '.txt': linkList,
  '.ris': risReferences,
  '.bib': bibtexReferences,
};

/** What each that must be a list says of a file that holds none. */
const NO_LIST: Readonly<Record<string, string>> = {
  '.ris': 'it has no entry of RIS (from TY to ER); export the bibliography anew',
  '.bib': 'it has no entry of BibTeX; export the bibliography anew',
};

/** The sources that a file names which was named itself: links, or a bibliography. Null for any other file. */
export async function listedReferences(file: string, ending: string): Promise<ReferenceReading[] | null> {
  const read = LISTS[ending];
  if (read === undefined) return null;
  const problem = (message: string): ReferenceReading[] => [{ ok: false, line: 1, message }];
  const given = await readGivenFile(file, BOUNDS);
  const text = given.ok ? givenTextOf(given.bytes) : given;
  const none = NO_LIST[ending];
  // What is no list by its name is read as what it is, and says itself what is wrong with it.
  if (!text.ok) return none === undefined ? null : problem(text.message);
  return read(text.text) ?? (none === undefined ? null : problem(none));
}
