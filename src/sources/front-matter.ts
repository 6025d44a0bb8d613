import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** A block that is longer than this is no front matter. */
const MAX_FRONT_MATTER_CHARS = 65_536;

const FRONT_MATTER = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Other names under which people write the same. */
const FIELD_OF: Readonly<Record<string, string>> = {
  id: 'id',
  url: 'url',
  title: 'title',
  author: 'author',
  authors: 'author',
  site: 'site',
  date: 'publishedAt',
  publishedat: 'publishedAt',
  accessedat: 'accessedAt',
  license: 'license',
  summary: 'summary',
};

type FrontMatter =
  | { ok: true; fields: Record<string, string>; content: string }
  | { ok: false; line: number; message: string };

/**
 * Splits a text into the fields between `---` lines at its start and everything after them, as it stands. A text
 * without such a block is content alone. Values are the text that was written: `2005-03-01` stays so, and a list is
 * joined with `; `.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS));
  if (match === null) return { ok: true, fields: {}, content: text };
  const document = parseDocument(match[1] ?? '', {
    schema: 'failsafe',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = 2 + ((match[1] ?? '').slice(0, error.pos[0]).match(/\n/g) ?? []).length;
    return { ok: false, line, message: `the front matter is not valid YAML: ${error.message}` };
  }
  // Two rules with prose between them are a text's own.
  if (document.contents !== null && !isMap(document.contents)) return { ok: true, fields: {}, content: text };
  const fields: Record<string, string> = {};
  for (const pair of document.contents?.items ?? []) {
    const field = isScalar(pair.key) ? FIELD_OF[String(pair.key.value).toLowerCase()] : undefined;
    const value = textOf(pair.value);
    if (field !== undefined && value !== '' && fields[field] === undefined) fields[field] = value;
  }
  return { ok: true, fields, content: text.slice(match[0].length) };
}

function textOf(node: unknown): string {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value.trim() : '';
  if (isSeq(node)) return node.items.map(textOf).filter(Boolean).join('; ');
  return isMap(node) ? textOf(node.get('name', true)) : '';
}
