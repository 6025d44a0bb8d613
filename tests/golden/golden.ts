import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

const RECORDED = join(__dirname, 'recorded');
/** `npm run golden -- --update` sets it. */
const isUpdate = process.env['COLLIGATE_GOLDEN_UPDATE'] === '1';
const startedAt = Date.now();
const HINT = 'If the change is intended, "npm run golden -- --update" records it.';

/**
 * Compares files with those under recorded/NAME, byte for byte, or writes them. A text is recorded as it is, any other value as
 * JSON. `ids` are names that a server made up, with what is recorded in their place.
 */
export function expectGolden(
  name: string,
  files: Record<string, unknown>,
  ids: Readonly<Record<string, string>> = {},
): void {
  const folder = join(RECORDED, name);
  const texts = Object.entries(files).map(([file, content]) => {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, forJson, 2)}\n`;
    return [file, normalised(text, ids)] as const;
  });
  if (isUpdate) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of texts) writeFileSync(join(folder, file), text);
    return;
  }
  const names = texts.map(([file]) => file).sort();
  expect(names, `Golden run ${name} has other files. ${HINT}`).toEqual(filesOf(folder));
  for (const [file, text] of texts)
    expect(text, `${name}/${file} differs from what is recorded. ${HINT}`).toBe(
      readFileSync(join(folder, file), 'utf8'),
    );
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // nothing is recorded yet
  }
}

/** The elements of a page with their attributes and texts, a line each, without the contents of style and script elements. */
export function pageOutline(markup: string): string {
  return linesOf(parse(markup), '').join('\n') + '\n';
}

function linesOf(node: DefaultTreeAdapterTypes.Node, indent: string): string[] {
  if (node.nodeName === '#text' && 'value' in node) {
    const text = node.value.replace(/\s+/g, ' ').trim();
    return text === '' ? [] : [indent + text];
  }
  if (!('childNodes' in node)) return [];
  if (!('tagName' in node)) return node.childNodes.flatMap((child) => linesOf(child, indent));
  const attributes = node.attrs.map(({ name, value }) => ` ${name}="${value}"`).join('');
  const children = ['style', 'script'].includes(node.tagName) ? [] : node.childNodes;
  return [
    `${indent}<${node.tagName}${attributes}>`,
    ...children.flatMap((child) => linesOf(child, `${indent} `)),
  ];
}

/**
 * For `JSON.stringify`: leaves out what a clock measured, the versions of programs and the addresses of stored texts that hold
 * such things. Sums depend in their last digits on the order of calls: numbers have six decimals. A text of several lines becomes
 * an array of lines, so that differences can be read.
 */
function forJson(key: string, value: unknown): unknown {
  if (key === 'timings' || key === 'runtime') return `<${key}>`;
  if (/(?:Ms|_ms)$/.test(key) && typeof value === 'number') return '<ms>';
  if (/Ref$/.test(key) && typeof value === 'string') return '<ref>';
  if (typeof value === 'number') return Number(value.toFixed(6));
  return typeof value === 'string' && value.includes('\n') ? value.split('\n') : value;
}

/** The text without what differs between two runs of the same. */
function normalised(text: string, ids: Readonly<Record<string, string>>): string {
  const named = Object.entries(ids).reduce((all, [id, name]) => all.replaceAll(id, name), text);
  return named
    .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replace(/\b127\.0\.0\.1-\d+-([\w-]+)-[0-9a-f]{8}\b/g, '127.0.0.1-<port>-$1-<hash>')
    .replace(/\bColligate \d+\.\d+\.\d+/g, 'Colligate <version>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) => (isNow(time, 0) ? '<time>' : time))
    .replace(/\b\d{4}-\d\d-\d\d\b/g, (date) => (isNow(date, DAY_MS) ? '<date>' : date));
}

const DAY_MS = 86_400_000;
const CLOCK_SLACK_MS = 60_000;

/** Whether a stretch of time that begins then meets the life of this process. */
function isNow(begin: string, ms: number): boolean {
  const at = Date.parse(begin);
  return at + ms >= startedAt - CLOCK_SLACK_MS && at <= Date.now() + CLOCK_SLACK_MS;
}
