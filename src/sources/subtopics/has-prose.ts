import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const processor = unified().use(remarkParse).use(remarkGfm);

type Root = ReturnType<typeof processor.parse>;
type Nodes = Root | Root['children'][number];

/** So many words outside of links say something; fewer are a label. */
const LEAST_WORDS = 4;

/**
 * Whether a Markdown text says something: a paragraph or an item of a list has words of its own. Headings, tables,
 * lists of links, what announces a list, and code say nothing.
 */
export function hasProse(markdown: string): boolean {
  return saysSomething(processor.parse(markdown));
}

function saysSomething(node: Nodes): boolean {
  if (node.type === 'heading' || node.type === 'footnoteDefinition') return false;
  if (node.type === 'paragraph') {
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
