import { type MarkdownNode, parseMarkdown } from './parse-markdown';

/** All that makes a line of Markdown read otherwise than it is written; brackets alone, as of citations, do not. */
const SIGNS = /[\\`*_<>&~|#!\n]|\][(:]|^\s*(?:[-+=]|\d{1,9}[.)])/;

/** Markdown as it reads: its words alone, on one line. Most claims have no signs, and are not parsed. */
export function plainText(markdown: string): string {
  if (!SIGNS.test(markdown)) return markdown.replace(/\s+/g, ' ').trim();
  return wordsOf(parseMarkdown(markdown)).replace(/\s+/g, ' ').trim();
}

export function wordsOf(node: MarkdownNode): string {
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  if (node.children === undefined) return node.value ?? '';
  return node.children.map(wordsOf).join(BLOCKS.has(node.type) ? ' ' : '');
}

const BLOCKS = new Set(['root', 'blockquote', 'list', 'listItem', 'table', 'tableRow']);
