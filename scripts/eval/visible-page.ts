// What stands on a page to be seen, told without the reader that is measured by it: every word of its body, and the headers of its tables.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const UNSEEN = new Set('head script style template noscript textarea select option iframe svg'.split(' '));
const BLOCKS = new Set(
  'html body header main footer section article aside nav div details summary figure figcaption p dl dt dd address center form fieldset table thead tbody tfoot tr td th ul ol li pre blockquote h1 h2 h3 h4 h5 h6 caption hr br'.split(
    ' ',
  ),
);

export interface VisiblePage {
  words: string[];
  /** Of each table with a row of headings over another row, the words of both. */
  tables: { header: string[]; row: string[] }[];
}

export function visiblePage(html: string): VisiblePage {
  const page = parse(html);
  return { words: wordsOf(textOf(page)), tables: elementsIn(page, 'table').flatMap(headedTable) };
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Where words stand in a list of words, from a place on; -1 where they do not. */
export function placeOf(words: readonly string[], among: readonly string[], from = 0): number {
  for (let at = from; at + words.length <= among.length; at++)
    if (words.every((word, of) => among[at + of] === word)) return at;
  return -1;
}

function headedTable(table: Element): VisiblePage['tables'] {
  const [header = [], row = []] = elementsIn(table, 'tr').map(cellsOf);
  const headings = header.map(textOf).filter((text) => wordsOf(text).length > 0);
  const isHeader = headings.length > 1 && header.every(({ tagName }) => tagName === 'th');
  const isRow = row.length > 1 && elementsIn(table, 'table').length === 0;
  return isHeader && isRow
    ? [{ header: wordsOf(headings.join(' ')), row: wordsOf(row.map(textOf).join(' ')) }]
    : [];
}

function cellsOf(row: Element): Element[] {
  return childrenOf(row).filter((cell): cell is Element => 'tagName' in cell);
}

function elementsIn(node: Node, name: string): Element[] {
  return childrenOf(node).flatMap((child) => [
    ...('tagName' in child && child.tagName === name ? [child] : []),
    ...elementsIn(child, name),
  ]);
}

function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if ('tagName' in node && UNSEEN.has(node.tagName)) return '';
  const text = childrenOf(node).map(textOf).join('');
  return 'tagName' in node && BLOCKS.has(node.tagName) ? `\n${text}\n` : text;
}

function childrenOf(node: Node): Node[] {
  return 'childNodes' in node ? node.childNodes : [];
}
