import { givenTextOf } from '../../platform/given-text';
import { MOST_SOURCES } from '../formats/parsing/parse-limits';
import { bibtexReferences } from './bibtex';
import { linkList } from './link-list';
import type { ReferenceReading } from './reference';
import { risReferences } from './ris';

/** How names of files end that may name sources, and what reads them; null where they hold something else. */
const LISTS: Readonly<Record<string, (text: string) => ReferenceReading[] | null>> = {
  '.txt': linkList,
  '.ris': risReferences,
  '.bib': bibtexReferences,
};

const NO_LIST: Readonly<Record<string, string>> = {
  '.ris': 'it has no entry of RIS (from TY to ER); export the bibliography anew',
  '.bib': 'it has no entry of BibTeX; export the bibliography anew',
};

const TOO_MANY = `it names more than ${MOST_SOURCES.toLocaleString('en')} sources; split it into several files`;

/** The sources that the bytes of a list name; null where they are none. It runs in the process that parses. */
export function referencesIn(bytes: Buffer, ending: string): ReferenceReading[] | null {
  const text = givenTextOf(bytes);
  const none = NO_LIST[ending];
  // What is no list by its name is read as what it is, and says itself what is wrong with it.
  if (!text.ok) return none === undefined ? null : [problem(text.message)];
  const references = LISTS[ending]?.(text.text) ?? (none === undefined ? null : [problem(none)]);
  return references !== null && references.length > MOST_SOURCES ? [problem(TOO_MANY)] : references;
}

function problem(message: string): ReferenceReading {
  return { ok: false, line: 1, message };
}
