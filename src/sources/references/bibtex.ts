import { parse, type Expression } from 'bibtex-parse';
import { addressOf, authorsOf, dateOf, type NameParts } from './bibliographic';
import type { Reference, ReferenceReading } from './reference';

/** Where an entry begins: each is parsed by itself, so that one that is broken leaves the others whole. */
const ENTRY = /^[ \t]*@(?=[A-Za-z]+\s*[{(])/gm;
/** Of all values together, each constant counted wherever it is used. A file has half as many characters at most. */
const MOST_VALUE_CHARS = 32_000_000;
/** Of one value: a constant that is made of itself doubles each time. */
const LONGEST_VALUE = 200_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The entries of a bibliography in BibTeX or BibLaTeX, as Zotero and others export it; null for another text. */
export function bibtexReferences(text: string): ReferenceReading[] | null {
  const starts = [...text.matchAll(ENTRY)].map(({ index }) => index);
  const constants = new Map(MONTHS.map((name, at) => [name, String(at + 1).padStart(2, '0')]));
  let left = MOST_VALUE_CHARS;
  const written = ({ datatype, value }: Expression): string => {
    if (!Array.isArray(value))
      return datatype === 'identifier'
        ? (constants.get(`${value}`.toLowerCase()) ?? `${value}`)
        : `${value ?? ''}`;
    let joined = '';
    for (const part of value) {
      joined += written(part);
      if (joined.length > LONGEST_VALUE) throw new TooLongValue(TOO_LONG);
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
    const items = itemsOf(text.slice(start, starts[at + 1] ?? text.length).trim());
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
        return [{ ok: true, ...referenceOf(fields, line) }];
      } catch (error) {
        if (!(error instanceof TooLongValue)) throw error;
        return [{ ok: false, line, message: error.message }];
      }
    });
  });
  return references.length === 0 ? null : references;
}

class TooLongValue extends Error {}

const TOO_LONG = `a value of the entry is longer than ${LONGEST_VALUE.toLocaleString('en')} characters with its constants; shorten it`;
const TOO_MUCH = `the values up to this entry have more than ${MOST_VALUE_CHARS.toLocaleString('en')} characters with their constants; no entry behind it is read; split the file`;

function itemsOf(text: string): ReturnType<typeof parse> | null {
  try {
    return parse(text, { number: 'string' });
  } catch (error) {
    // Braces within each other have no bound in its grammar but that of the stack.
    if (error instanceof RangeError || (error instanceof Error && error.name === 'SyntaxError')) return null;
    throw error;
  }
}

function referenceOf(fields: ReadonlyMap<string, string>, line: number): Reference {
  const first = (...names: string[]): string | undefined =>
    names.map((name) => plainField(fields.get(name) ?? '')).find((value) => value !== '');
  const month = (first('month') ?? '').toLowerCase();
  const named = MONTHS.findIndex((name) => month.startsWith(name));
  return {
    // As it stands: an address has no commands, and signs of its own.
    address: addressOf([fields.get('url')?.replace(/\\(?=[%#&_~])/g, '')], first('doi')),
    files: filesIn(fields.get('file') ?? ''),
    abstract: first('abstract') ?? null,
    said: {
      title: first('title'),
      author: authorsIn(fields.get('author') ?? fields.get('editor') ?? ''),
      site: first('journal', 'journaltitle', 'booktitle', 'organization', 'publisher'),
      publishedAt:
        first('date')?.split('/')[0] ??
        dateOf([first('year') ?? '', named < 0 ? month : String(named + 1), first('day') ?? '']),
      license: first('license', 'copyright', 'rights'),
      language: first('langid', 'language'),
    },
    line,
  };
}

/** Names stand between “and”, unless that stands in braces. */
function authorsIn(value: string): string | undefined {
  let depth = 0;
  const names = [''];
  for (const part of value.split(/([{}]|\s+and\s+)/)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (depth === 0 && /^\s+and\s+$/.test(part)) names.push('');
    else names.push((names.pop() ?? '') + part);
  }
  const known = names.filter((name) => name.trim() !== 'others');
  return authorsOf(known.map(namePartsOf), known.length < names.length);
}

/** `Doe, Jane`, `Doe, Jr., Jane` or `Jane Doe`; what stands in braces is one name, whatever signs it has. */
function namePartsOf(name: string): NameParts {
  let depth = 0;
  const parts = [''];
  for (const sign of name) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + sign);
  }
  const told = parts.map(plainField);
  const [, given = '', family = ''] = /^(.*\s)(\S+)$/.exec(told[0] ?? '') ?? [];
  return told.length > 1 || family === '' || name.trim().startsWith('{') ? told : [family, given];
}

/** `Full Text:files/12/paper.pdf:application/pdf;…` as Zotero writes it, `:paper.pdf:PDF` as JabRef does, or a path. */
function filesIn(value: string): string[] {
  return divided(value, ';').flatMap((attachment) => {
    const parts = divided(attachment, ':');
    const path = parts.length > 2 ? parts.slice(1, -1).join(':') : attachment;
    const plain = path.replace(/\\(?=[:;\\_&%#$])/g, '').trim();
    return plain === '' ? [] : [plain];
  });
}

function divided(text: string, sign: ':' | ';'): string[] {
  return text.split(sign === ':' ? /(?<!\\):/ : /(?<!\\);/);
}

const SIGNS: Readonly<Record<string, string>> = {
  backslash: '\\',
  braceleft: '{',
  braceright: '}',
  asciicircum: '^',
  asciitilde: '~',
};
const LATEX = /\\text(\w+)\{\}|\\[A-Za-z]+\s?|\\["'`^~=.](?=[{\\]*[A-Za-z])|\\(.)|[{}$]/g;

/** A field without its braces: escaped signs stay, accents and other commands of LaTeX are left out. */
function plainField(value: string): string {
  return value
    .replace(LATEX, (_whole, name: string | undefined, escaped: string | undefined) =>
      name === undefined ? (escaped ?? '') : (SIGNS[name] ?? ''),
    )
    .replace(/\s+/g, ' ')
    .trim();
}
