import { givenTextOf } from '../../platform/given-text';
import { MOST_SOURCES } from '../formats/parsing/parse-limits';
import { bibtexReferences } from './bibtex';
import type { ReferenceReading, Reference } from './reference';
import { isAddress } from '../pages/told-address';
import { referenceTo } from './reference';
import { addressOf, authorsOf, dateOf } from './bibliographic';

const FIELD = /^([A-Z][A-Z0-9]) {2}-(?: (.*))?$/;

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

/** A `.txt` whose every line is an address, or empty, or a remark that begins with `#`; a note with an address in it is a note. */
function linkList(text: string): ReferenceReading[] | null {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const isList = lines.length > 0 && lines.every(({ line }) => isAddress(line) && !/\s/.test(line));
  return isList ? lines.map(({ line, number }) => referenceTo(line, number)) : null;
}

/** The entries of a bibliography in RIS, as Zotero and others export it; null for another text. */
function risReferences(text: string): ReferenceReading[] | null {
  const references: ReferenceReading[] = [];
  let open: { line: number; fields: [tag: string, lines: string[]][] } | null = null;
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const [, tag, value = ''] = FIELD.exec(line.trimEnd()) ?? [];
    const last = open?.fields.at(-1);
    if (tag === 'TY') {
      if (open !== null) references.push(unended(open.line));
      open = { line: at + 1, fields: [] };
    } else if (tag === 'ER' && open !== null) {
      const fields = open.fields.map(([own, lines]) => [own, lines.filter(Boolean).join(' ')] as const);
      references.push({ ok: true, ...referenceOf(fields, open.line) });
      open = null;
    } else if (tag !== undefined) open?.fields.push([tag, [value.trim()]]);
    else last?.[1].push(line.trim());
  }
  if (open !== null) references.push(unended(open.line));
  return references.length === 0 ? null : references;
}

function unended(line: number): ReferenceReading {
  return { ok: false, line, message: 'the entry has no end (ER); save the bibliography anew' };
}

function referenceOf(fields: readonly (readonly [string, string])[], line: number): Reference {
  const all = (...tags: string[]): string[] =>
    tags.flatMap((tag) => fields.flatMap(([own, value]) => (own === tag && value !== '' ? [value] : [])));
  const first = (...tags: string[]): string | undefined => all(...tags)[0];
  const dates = all('DA', 'PY', 'Y1');
  return {
    address: addressOf([...all('UR', 'L1', 'L2')], first('DO')),
    files: all('L1', 'L2'),
    abstract: first('AB', 'N2') ?? null,
    said: {
      title: first('TI', 'T1'),
      author: authorsOf(all('AU', 'A1').map((name) => name.split(','))),
      site: first('T2', 'JO', 'JF', 'PB'),
      // Behind the day may stand a season, `2019/03/12/spring`; a date may have a day and no year.
      publishedAt: dateOf(
        (dates.find((date) => /^\d{4}/.test(date)) ?? dates[0] ?? '').split('/').slice(0, 3),
      ),
      language: first('LA'),
    },
    line,
  };
}
