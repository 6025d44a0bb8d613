import { type Expression, parse } from 'bibtex-parse';
import { decodeNonBlankUtf8 } from '../../lib/files';
import { isAddress } from '../fetch-address';
import {
  entryAddress,
  formatAuthors,
  linkReference,
  type NameParts,
  type Reference,
  type ReferenceReading,
} from '../record';
import { MAX_SOURCES } from './parsed-document';

/** Entries are parsed separately, so that a broken one does not affect others. */
const ENTRY_START = /^[ \t]*@(?=[A-Za-z]+\s*[{(])/gm;
/** Limit for all values, counting constants at each use. */
const MAX_TOTAL_CHARS = 32_000_000;
/** Limit for one value, because self-referring constants double each time. */
const MAX_VALUE_CHARS = 200_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Null if the file is no list. Runs in the parser process. */
export function readReferenceList(bytes: Buffer, extension: string): ReferenceReading[] | null {
  const text = decodeNonBlankUtf8(bytes);
  const none = EMPTY_LIST_MESSAGES[extension];
  // Other files are read as documents, which report their own errors.
  if (!text.ok) return none === undefined ? null : [problem(text.message)];
  const references = LIST_READERS[extension]?.(text.text) ?? (none === undefined ? null : [problem(none)]);
  return references !== null && references.length > MAX_SOURCES ? [problem(TOO_MANY)] : references;
}

function problem(message: string): ReferenceReading {
  return { ok: false, line: 1, message };
}

function bibtexReferences(text: string): ReferenceReading[] | null {
  const starts = [...text.matchAll(ENTRY_START)].map(({ index }) => index);
  const constants = new Map(MONTHS.map((name, at) => [name, String(at + 1).padStart(2, '0')]));
  let left = MAX_TOTAL_CHARS;
  const written = ({ datatype, value }: Expression): string => {
    if (!Array.isArray(value))
      return datatype === 'identifier'
        ? (constants.get(`${value}`.toLowerCase()) ?? `${value}`)
        : `${value ?? ''}`;
    let joined = '';
    for (const part of value) {
      joined += written(part);
      if (joined.length > MAX_VALUE_CHARS) throw new TooLongValue(TOO_LONG);
    }
    return joined;
  };
  const valueOf = (expression: Expression): string => {
    const value = written(expression);
    left -= value.length;
    if (left < 0) throw new TooLongValue(TOO_MUCH);
    return value;
  };
  let line = 1;
  let counted = 0;
  const references = starts.flatMap((start, at): ReferenceReading[] => {
    if (left < 0) return [];
    line += text.slice(counted, start).split('\n').length - 1;
    counted = start;
    const items = parseEntry(text.slice(start, starts[at + 1] ?? text.length).trim());
    if (items === null)
      return [
        {
          ok: false,
          line,
          message: 'the entry is no BibTeX: a brace or a quote of it is not closed, perhaps',
        },
      ];
    return items.flatMap((item): ReferenceReading[] => {
      if (left < 0) return [];
      try {
        if (item.itemtype === 'string') constants.set(item.name.toLowerCase(), valueOf(item));
        if (item.itemtype !== 'entry') return [];
        const fields = new Map(item.fields.map((field) => [field.name.toLowerCase().trim(), valueOf(field)]));
        return [{ ok: true, ...bibtexReference(fields, line) }];
      } catch (error) {
        if (!(error instanceof TooLongValue)) throw error;
        return [{ ok: false, line, message: error.message }];
      }
    });
  });
  return references.length === 0 ? null : references;
}

class TooLongValue extends Error {}

const TOO_LONG = `a value of the entry is longer than ${MAX_VALUE_CHARS.toLocaleString('en')} characters with its constants; shorten it`;
const TOO_MUCH = `the values up to this entry have more than ${MAX_TOTAL_CHARS.toLocaleString('en')} characters with their constants; no entry behind it is read; split the file`;

function parseEntry(text: string): ReturnType<typeof parse> | null {
  try {
    return parse(text, { number: 'string' });
  } catch (error) {
    // Nested braces overflow the parser's stack.
    if (error instanceof RangeError || (error instanceof Error && error.name === 'SyntaxError')) return null;
    throw error;
  }
}

function bibtexReference(fields: ReadonlyMap<string, string>, line: number): Reference {
  const first = (...names: string[]): string | undefined =>
    names.map((name) => plainField(fields.get(name) ?? '')).find((value) => value !== '');
  const month = (first('month') ?? '').toLowerCase();
  const named = MONTHS.findIndex((name) => month.startsWith(name));
  return {
    // URLs need no LaTeX clean-up.
    address: entryAddress([fields.get('url')?.replace(/\\(?=[%#&_~])/g, '')], first('doi')),
    files: attachedFiles(fields.get('file') ?? ''),
    abstract: first('abstract') ?? null,
    said: {
      title: first('title'),
      author: parseAuthors(fields.get('author') ?? fields.get('editor') ?? ''),
      site: first('journal', 'journaltitle', 'booktitle', 'organization', 'publisher'),
      publishedAt:
        first('date')?.split('/')[0] ??
        formatDate([first('year') ?? '', named < 0 ? month : String(named + 1), first('day') ?? '']),
      license: first('license', 'copyright', 'rights'),
      language: first('langid', 'language'),
    },
    line,
  };
}

/** Splits at “and”, except inside braces. */
function parseAuthors(value: string): string | undefined {
  let depth = 0;
  const names = [''];
  for (const part of value.split(/([{}]|\s+and\s+)/)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (depth === 0 && /^\s+and\s+$/.test(part)) names.push('');
    else names.push((names.pop() ?? '') + part);
  }
  const known = names.filter((name) => name.trim() !== 'others');
  return formatAuthors(known.map(parseName), known.length < names.length);
}

/** `Doe, Jane`, `Doe, Jr., Jane` or `Jane Doe`; braces make one name, and so do several words without initials. */
function parseName(name: string): NameParts {
  let depth = 0;
  const parts = [''];
  for (const sign of name) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + sign);
  }
  const told = parts.map(plainField);
  const [, given = '', family = ''] = /^(.*\s)(\S+)$/.exec(told[0] ?? '') ?? [];
  const isPerson = /^\S+$|\p{Lu}\./u.test(given.trim());
  return told.length > 1 || family === '' || !isPerson || name.trim().startsWith('{')
    ? told
    : [family, given];
}

/** Zotero (`Full Text:files/12/paper.pdf:application/pdf;…`), JabRef (`:paper.pdf:PDF`), or a path. */
function attachedFiles(value: string): string[] {
  return splitUnescaped(value, ';').flatMap((attachment) => {
    const parts = splitUnescaped(attachment, ':');
    const path = parts.length > 2 ? parts.slice(1, -1).join(':') : attachment;
    const plain = path.replace(/\\(?=[:;\\_&%#$])/g, '').trim();
    return plain === '' ? [] : [plain];
  });
}

function splitUnescaped(text: string, sign: ':' | ';'): string[] {
  return text.split(sign === ':' ? /(?<!\\):/ : /(?<!\\);/);
}

const LATEX_SYMBOLS: Readonly<Record<string, string>> = {
  backslash: '\\',
  braceleft: '{',
  braceright: '}',
  asciicircum: '^',
  asciitilde: '~',
};
const LATEX = /\\text(\w+)\{\}|\\[A-Za-z]+\s?|\\["'`^~=.](?=[{\\]*[A-Za-z])|\\(.)|[{}$]/g;

/** Removes braces and LaTeX commands, and unescapes characters. */
function plainField(value: string): string {
  return value
    .replace(LATEX, (_whole, name: string | undefined, escaped: string | undefined) =>
      name === undefined ? (escaped ?? '') : (LATEX_SYMBOLS[name] ?? ''),
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** `2019`, `2019-03` or `2019-03-12`. */
function formatDate([year = '', month = '', day = '']: readonly string[]): string | undefined {
  if (!/^\d{4}$/.test(year.trim())) return year.trim() === '' ? undefined : year.trim();
  const parts = [year, month, day].map((part) => part.trim().padStart(2, '0'));
  const end = parts.findIndex((part) => !/^(?:\d{4}|0[1-9]|[12]\d|3[01])$/.test(part));
  return (end < 0 ? parts : parts.slice(0, end)).join('-');
}

const RIS_FIELD = /^([A-Z][A-Z0-9]) {2}-(?: (.*))?$/;

const LIST_READERS: Readonly<Record<string, (text: string) => ReferenceReading[] | null>> = {
  '.txt': linkList,
  '.ris': risReferences,
  '.bib': bibtexReferences,
};

const EMPTY_LIST_MESSAGES: Readonly<Record<string, string>> = {
  '.ris': 'it has no entry of RIS (from TY to ER); export the bibliography anew',
  '.bib': 'it has no entry of BibTeX; export the bibliography anew',
};

const TOO_MANY = `it names more than ${MAX_SOURCES.toLocaleString('en')} sources; split it into several files`;

/** A `.txt` with only addresses, empty lines and `#` comments. */
function linkList(text: string): ReferenceReading[] | null {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));
  const isList = lines.length > 0 && lines.every(({ line }) => isAddress(line) && !/\s/.test(line));
  return isList ? lines.map(({ line, number }) => linkReference(line, number)) : null;
}

function risReferences(text: string): ReferenceReading[] | null {
  const references: ReferenceReading[] = [];
  let open: { line: number; fields: [tag: string, lines: string[]][] } | null = null;
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const [, tag, value = ''] = RIS_FIELD.exec(line.trimEnd()) ?? [];
    const last = open?.fields.at(-1);
    if (tag === 'TY') {
      if (open !== null) references.push(unendedEntry(open.line));
      open = { line: at + 1, fields: [] };
    } else if (tag === 'ER' && open !== null) {
      const fields = open.fields.map(([own, lines]) => [own, lines.filter(Boolean).join(' ')] as const);
      references.push({ ok: true, ...risReference(fields, open.line) });
      open = null;
    } else if (tag !== undefined) open?.fields.push([tag, [value.trim()]]);
    else last?.[1].push(line.trim());
  }
  if (open !== null) references.push(unendedEntry(open.line));
  return references.length === 0 ? null : references;
}

function unendedEntry(line: number): ReferenceReading {
  return { ok: false, line, message: 'the entry has no end (ER); save the bibliography anew' };
}

function risReference(fields: readonly (readonly [string, string])[], line: number): Reference {
  const all = (...tags: string[]): string[] =>
    tags.flatMap((tag) => fields.flatMap(([own, value]) => (own === tag && value !== '' ? [value] : [])));
  const first = (...tags: string[]): string | undefined => all(...tags)[0];
  const dates = all('DA', 'PY', 'Y1');
  return {
    address: entryAddress([...all('UR', 'L1', 'L2')], first('DO')),
    files: all('L1', 'L2'),
    abstract: first('AB', 'N2') ?? null,
    said: {
      title: first('TI', 'T1'),
      author: formatAuthors(all('AU', 'A1').map((name) => name.split(','))),
      site: first('T2', 'JO', 'JF', 'PB'),
      // RIS dates may have a season after the day, or no year.
      publishedAt: formatDate(
        (dates.find((date) => /^\d{4}/.test(date)) ?? dates[0] ?? '').split('/').slice(0, 3),
      ),
      language: first('LA'),
    },
    line,
  };
}
