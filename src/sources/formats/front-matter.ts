import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { findExceededBound } from '../../lib/json';
import { type UnknownKey, unknownKeys } from '../source-problems';

const MAX_FRONT_MATTER_CHARS = 65_536;

const FRONT_MATTER = /^---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** A `---` line followed by a field. */
const UNCLOSED_FRONT_MATTER = /^---[ \t]*\r?\n[A-Za-z][\w-]*:(?:[ \t]|\r?\n)/;

const FIELD_NAMES: Readonly<Record<string, string>> = {
  id: 'id',
  url: 'url',
  title: 'title',
  author: 'author',
  authors: 'author',
  site: 'site',
  date: 'publishedAt',
  publishedAt: 'publishedAt',
  accessedAt: 'accessedAt',
  license: 'license',
  language: 'language',
  lang: 'language',
  summary: 'summary',
};
const FIELD_BY_NAME = new Map(
  Object.entries(FIELD_NAMES).map(([name, field]) => [name.toLowerCase(), field]),
);

type FrontMatter =
  | {
      ok: true;
      fields: Record<string, string>;
      content: string;
      unknown: UnknownKey[];
      /** True if front matter begins but has no end. */
      unclosed: boolean;
    }
  | { ok: false; line: number; message: string };

type FrontMatterBlock =
  | {
      ok: true;
      /** Null without a block, or for an empty one. */
      fields: YAMLMap | null;
      content: string;
      unclosed: boolean;
    }
  | { ok: false; line: number; message: string };

export function parseFrontMatterBlock(text: string): FrontMatterBlock {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_CHARS));
  if (match === null)
    return { ok: true, fields: null, content: text, unclosed: UNCLOSED_FRONT_MATTER.test(text) };
  const block = match[1] ?? '';
  const beyond = findExceededBound(block);
  if (beyond !== null) return { ok: false, line: lineAt(block, beyond.at), message: beyond.why };
  const document = parseDocument(block, {
    schema: 'failsafe',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    return {
      ok: false,
      line: lineAt(block, error.pos[0]),
      message: `the front matter is not valid YAML: ${error.message}`,
    };
  }
  const { contents } = document;
  // Prose between two rules is content.
  if (contents !== null && !isMap(contents))
    return { ok: true, fields: null, content: text, unclosed: false };
  return { ok: true, fields: contents, content: text.slice(match[0].length), unclosed: false };
}

function lineAt(block: string, at: number): number {
  return 1 + block.slice(0, at).split('\n').length;
}

/** Values stay as written; lists are joined with `; `. */
export function splitFrontMatter(text: string): FrontMatter {
  const block = parseFrontMatterBlock(text);
  if (!block.ok) return block;
  const fields: Record<string, string> = {};
  const unknownNames: string[] = [];
  for (const pair of block.fields?.items ?? []) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const field = FIELD_BY_NAME.get(key.toLowerCase());
    if (field === undefined) unknownNames.push(key);
    const value = nodeText(pair.value);
    if (field !== undefined && value !== '' && fields[field] === undefined) fields[field] = value;
  }
  const free = Object.entries(FIELD_NAMES).filter(([, field]) => !(field in fields));
  const unknown = unknownKeys(
    unknownNames,
    free.map(([name]) => name),
  );
  return { ok: true, fields, content: block.content, unknown, unclosed: block.unclosed };
}

function nodeText(node: unknown): string {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value.trim() : '';
  if (isSeq(node)) return node.items.map(nodeText).filter(Boolean).join('; ');
  return isMap(node) ? nodeText(node.get('name', true)) : '';
}
