import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

const ACTIVE = [
  'link',
  'image',
  'html',
  'definition',
  'imageReference',
  'linkReference',
  'footnoteReference',
];
/** What changes how a text looks, where nobody meant it to. */
const STYLED = ['emphasis', 'delete', 'inlineCode', 'code', 'table'];

export function activeNodes(markdown: string): { type: string; url: string }[] {
  return nodesOf(markdown, ACTIVE);
}

export function styledNodes(markdown: string): string[] {
  return nodesOf(markdown, STYLED).map(({ type }) => type);
}

function nodesOf(markdown: string, types: readonly string[]): { type: string; url: string }[] {
  const found: { type: string; url: string }[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(markdown), (node) => {
    if (types.includes(node.type)) found.push({ type: node.type, url: 'url' in node ? node.url : '' });
  });
  return found;
}
