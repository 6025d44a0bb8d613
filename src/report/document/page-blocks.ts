import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { webAddress } from './document';

/** Content of the page for print formats; reading it from the page keeps all formats equal. Screen controls and pictures are left out. */
export function pageBlocks(page: string): Block[] {
  const document = parse(page);
  const notes = new Map(idsOf(document, 'passage').map((id, at) => [id, at + 1]));
  const reader: Reader = { blocks: [], open: null, marker: null, places: [], notes };
  readNode(document, PLAIN_CONTEXT, reader);
  closeBlock(reader);
  return resolveLinks(reader.blocks);
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

interface ReadContext {
  style: RunStyle;
  to: Run['to'];
  kind: TextBlock['kind'];
  level: number;
  keepsLines: boolean;
}

const PLAIN_CONTEXT: ReadContext = { style: {}, to: null, kind: 'paragraph', level: 0, keepsLines: false };

interface Reader {
  blocks: Block[];
  open: TextBlock | null;
  marker: { number: number | null } | null;
  /** Anchors that wait for the next text. */
  places: string[];
  notes: ReadonlyMap<string, number>;
}

const SKIPPED_ELEMENTS = new Set(['head', 'script', 'style', 'template', 'svg', 'nav', 'select', 'button']);
const BLOCK_ELEMENTS = new Set(
  'body header main footer section article div details summary figure figcaption p ul ol li dl dt blockquote pre hr'.split(
    ' ',
  ),
);
const STYLES: Readonly<Record<string, RunStyle>> = {
  strong: { bold: true },
  b: { bold: true },
  dt: { bold: true },
  em: { italic: true },
  i: { italic: true },
  del: { struck: true },
  code: { code: true },
  small: { small: true },
  mark: { marked: true },
};

function readNode(node: Node, around: ReadContext, reader: Reader): void {
  if ('value' in node) addText(reader, node.value, around);
  else if (!('tagName' in node)) readChildren(node, around, reader);
  else if (
    !SKIPPED_ELEMENTS.has(node.tagName) &&
    attributeOf(node, 'hidden') === null &&
    !hasClass(node, 'skip')
  )
    readElement(node, around, reader);
}

function readChildren(node: Node, around: ReadContext, reader: Reader): void {
  if ('childNodes' in node) for (const child of node.childNodes) readNode(child, around, reader);
}

function readElement(element: Element, around: ReadContext, reader: Reader): void {
  const { tagName } = element;
  const heading = /^h([1-6])$/.exec(tagName)?.[1];
  const isApart = heading !== undefined || BLOCK_ELEMENTS.has(tagName);
  const id = attributeOf(element, 'id');
  const inside = { ...around, style: { ...around.style, ...STYLES[tagName] } };
  if (isApart) closeBlock(reader);
  if (id !== null) reader.places.push(id);
  if (heading !== undefined) {
    // A passage's heading, the number of its claim, links back to the claim.
    const place = parentAttribute(element, 'data-place');
    const to = place === null ? null : { place };
    readChildren(element, { ...inside, to, kind: 'heading', level: Number(heading) }, reader);
  } else if (tagName === 'br') addText(reader, '\n', { ...around, keepsLines: true });
  else if (tagName === 'table') readTable(element, inside, reader);
  else if (tagName === 'ul' || tagName === 'ol') readList(element, inside, reader);
  else if (tagName === 'a') readLink(element, inside, reader);
  else if (tagName === 'q') readBetween('“', element, '”', inside, reader);
  else if (hasClass(element, 'caution')) readBetween('(', element, ')', inside, reader);
  else {
    const kind = tagName === 'blockquote' ? 'quote' : around.kind;
    const keepsLines = around.keepsLines || tagName === 'pre' || hasClass(element, 'lines');
    readChildren(element, { ...inside, kind, keepsLines }, reader);
    // A term and its description share a line.
    if (tagName === 'dt') addText(reader, ': ', inside);
  }
  if ((isApart && tagName !== 'dt') || tagName === 'dd') closeBlock(reader);
}

function readBetween(
  before: string,
  element: Element,
  after: string,
  around: ReadContext,
  reader: Reader,
): void {
  addText(reader, before, around);
  readChildren(element, around, reader);
  addText(reader, after, around);
}

function readList(list: Element, around: ReadContext, reader: Reader): void {
  let next = Number(attributeOf(list, 'start') ?? 1);
  for (const item of list.childNodes) {
    if (!('tagName' in item)) continue;
    const number = Number(attributeOf(item, 'value') ?? next);
    next = number + 1;
    reader.marker = { number: list.tagName === 'ol' ? number : null };
    readNode(item, { ...around, kind: 'paragraph', level: around.level + 1 }, reader);
    reader.marker = null;
  }
}

function readTable(table: Element, around: ReadContext, reader: Reader): void {
  closeBlock(reader);
  const rows = elementsIn(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elementsIn(row, ({ tagName }) => tagName === 'th' || tagName === 'td').map((cell) => {
      const within: Reader = { ...reader, blocks: [], open: null, marker: null };
      readChildren(cell, { ...around, kind: 'paragraph', level: 0 }, within);
      closeBlock(within);
      return within.blocks.flatMap((block) => ('runs' in block ? block.runs : []));
    }),
  );
  if (rows.length > 0) reader.blocks.push({ kind: 'table', rows });
}

/** On the page, a claim is one link to its passage. In print, the passage number follows it, like a footnote number. */
function readLink(link: Element, around: ReadContext, reader: Reader): void {
  const href = attributeOf(link, 'href') ?? '';
  const place = href.startsWith('#') ? decodeURIComponent(href.slice(1)) : null;
  const address = webAddress(href);
  const note = place === null ? undefined : reader.notes.get(place);
  if (place !== null && note !== undefined) {
    readChildren(link, around, reader);
    addText(reader, String(note), { ...around, style: { raised: true }, to: { place } });
  } else if (place !== null) readChildren(link, { ...around, to: { place } }, reader);
  else readChildren(link, { ...around, to: address === null ? null : { url: address } }, reader);
}

function addText(reader: Reader, given: string, { style, to, kind, level, keepsLines }: ReadContext): void {
  const spaced = keepsLines ? given : given.replace(/\s+/g, ' ');
  const isAfterSpace = reader.open === null || reader.open.runs.at(-1)?.text.endsWith(' ') === true;
  const text = isAfterSpace && !keepsLines ? spaced.trimStart() : spaced;
  if (text === '' || (reader.open === null && text.trim() === '')) return;
  const number = reader.marker?.number ?? null;
  reader.open ??= { kind: reader.marker === null ? kind : 'item', level, number, runs: [] };
  reader.marker = null;
  for (const piece of text.split(CITATION)) {
    const cited = to === null ? CITED.exec(piece)?.[1] : undefined;
    const leads = cited === undefined ? to : { place: `source-${cited}` };
    if (piece !== '')
      reader.open.runs.push({ text: piece, style, to: leads, places: reader.places.splice(0) });
  }
}

const CITATION = /(\[\d{1,6}\])/;
const CITED = /^\[(\d{1,6})\]$/;

function closeBlock(reader: Reader): void {
  const { open } = reader;
  reader.open = null;
  if (open === null) return;
  while (open.runs.at(-1)?.text.trim() === '') open.runs.pop();
  const last = open.runs.at(-1);
  if (last === undefined) return;
  last.text = last.text.trimEnd();
  reader.blocks.push(open);
}

/** Removes links without a target, and anchors without a link. */
function resolveLinks(blocks: Block[]): Block[] {
  const runs = blocks.flatMap((block) => ('runs' in block ? block.runs : block.rows.flat(2)));
  const there = new Set(runs.flatMap(({ places }) => places));
  for (const run of runs) if (run.to !== null && 'place' in run.to && !there.has(run.to.place)) run.to = null;
  const wanted = new Set(runs.flatMap(({ to }) => (to !== null && 'place' in to ? [to.place] : [])));
  for (const run of runs) run.places = run.places.filter((place) => wanted.has(place));
  return blocks;
}

function idsOf(node: Node, className: string): string[] {
  return elementsIn(node, (element) => hasClass(element, className)).flatMap(
    (element) => attributeOf(element, 'id') ?? [],
  );
}

function elementsIn(node: Node, isWanted: (element: Element) => boolean): Element[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...('tagName' in child && isWanted(child) ? [child] : []),
    ...elementsIn(child, isWanted),
  ]);
}

function attributeOf({ attrs }: Element, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

function parentAttribute({ parentNode }: Element, name: string): string | null {
  return parentNode !== null && 'attrs' in parentNode ? attributeOf(parentNode, name) : null;
}

function hasClass(element: Element, name: string): boolean {
  return (attributeOf(element, 'class') ?? '').split(' ').includes(name);
}

export type Block = TextBlock | TableBlock;

export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'quote' | 'item';
  /** Heading level from 1, else list depth from 0. */
  level: number;
  /** Number of an item in a numbered list, else null; also null for a paragraph that continues an item. */
  number: number | null;
  runs: Run[];
}

export interface TableBlock {
  kind: 'table';
  rows: Run[][][];
}

export interface Run {
  text: string;
  style: RunStyle;
  /** A web address, or an anchor in the document. */
  to: { url: string } | { place: string } | null;
  places: string[];
}

interface RunStyle {
  bold?: true;
  italic?: true;
  struck?: true;
  code?: true;
  small?: true;
  marked?: true;
  raised?: true;
}

export function wordsOfRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** By its first letter, as browsers resolve `dir="auto"`. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(text)?.[0] ?? '');
}
