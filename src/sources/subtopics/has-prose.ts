import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** So many words outside of links say something; fewer are a label. */
const LEAST_WORDS = 4;

/**
 * Whether a Markdown text says something: a paragraph, an item of a list or a row of a table has words of its own. Headings, lists
 * of links, what announces a list, and code say nothing.
 */
export function hasProse(markdown: string): boolean {
  return saysSomething(unified().use(remarkParse).use(remarkGfm).parse(markdown));
}

function saysSomething(node: Nodes): boolean {
  if (node.type === 'heading' || node.type === 'footnoteDefinition') return false;
  if (node.type === 'paragraph' || node.type === 'tableRow') {
    const words = ownWords(node).trim();
    return !words.endsWith(':') && (words.match(/\p{L}+/gu) ?? []).length >= LEAST_WORDS;
  }
  return 'children' in node && node.children.some(saysSomething);
}

function ownWords(node: Nodes): string {
  if (node.type === 'text') return node.value.replace(/https?:\/\/\S+/g, '');
  if (node.type === 'link' || node.type === 'linkReference' || !('children' in node)) return ' ';
  return node.children.map(ownWords).join('');
}
