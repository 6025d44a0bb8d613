import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { stripUnsafe } from '../../../core/text/untrusted-text';

/** A part of a text in Markdown as plain text; `depth` is a heading's. */
export interface PlainBlock {
  kind: 'heading' | 'paragraph' | 'item';
  depth: number;
  text: string;
  /** The bold words that the text begins with; absent where it begins with none. */
  name?: string;
}

export type DroppedPart = 'link' | 'image' | 'html' | 'table' | 'code' | 'footnote';

const processor = unified().use(remarkParse).use(remarkGfm);

type Root = ReturnType<typeof processor.parse>;
type Node = Root['children'][number];

/** Marks of this program's own stand between these while text is worked on; no text from outside keeps them. */
const PRIVATE = /[\ue000-\uf8ff]/g;

/**
 * The blocks of a Markdown text with nothing active left in them: a link is its words, and not even those where they are
 * its address; images, HTML, tables, code blocks, footnotes and definitions are gone.
 */
export function plainBlocks(markdown: string): { blocks: PlainBlock[]; dropped: DroppedPart[] } {
  const blocks: PlainBlock[] = [];
  const dropped: DroppedPart[] = [];
  const add = (kind: PlainBlock['kind'], node: Node, depth = 0): void => {
    const text = inlineText(node, dropped).replace(/\s+/g, ' ').trim();
    const [first] = 'children' in node ? node.children : [];
    const name = first?.type === 'strong' ? inlineText(first, []).replace(/\s+/g, ' ').trim() : '';
    if (text !== '') blocks.push({ kind, depth, text, ...(name === '' ? {} : { name }) });
  };
  const walk = (node: Node, kind: 'paragraph' | 'item'): void => {
    switch (node.type) {
      case 'heading':
        add('heading', node, node.depth);
        return;
      case 'paragraph':
        add(kind, node);
        return;
      case 'list':
        for (const item of node.children) for (const child of item.children) walk(child, 'item');
        return;
      case 'blockquote':
        for (const child of node.children) walk(child, kind);
        return;
      case 'html':
        dropped.push('html');
        return;
      case 'table':
        dropped.push('table');
        return;
      case 'code':
        dropped.push('code');
        return;
      case 'footnoteDefinition':
        dropped.push('footnote');
        return;
      case 'definition':
        dropped.push('link');
        return;
      default:
        return;
    }
  };
  for (const node of processor.parse(stripUnsafe(markdown).replace(PRIVATE, '')).children)
    walk(node, 'paragraph');
  return { blocks, dropped };
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.)\S*$|^\S+@\S+$/i;
/** `[S1](address)`, and `[S1]` where the text has a definition of that name: a citation that was made a link. */
const CITATION = /^@?[SFP]?\s?\d+(?:\s*[,;–-]\s*[SFP]?\s?\d+)*$/i;

function inlineText(node: Node, dropped: DroppedPart[]): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return ' ';
    case 'html':
      dropped.push('html');
      return '';
    case 'image':
    case 'imageReference':
      dropped.push('image');
      return '';
    case 'footnoteReference':
      return CITATION.test(node.identifier) ? `[${node.identifier}]` : '';
    case 'link':
    case 'linkReference': {
      const words = childText(node.children, dropped);
      if (CITATION.test(words.trim())) return `[${words.trim()}]`;
      dropped.push('link');
      return ADDRESS.test(words.trim()) ? '' : words;
    }
    default:
      return 'children' in node ? childText(node.children, dropped) : '';
  }
}

function childText(children: readonly Node[], dropped: DroppedPart[]): string {
  return children.map((child) => inlineText(child, dropped)).join('');
}
