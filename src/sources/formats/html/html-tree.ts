import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  Parser,
  Tokenizer,
} from 'parse5';

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlTree = DefaultTreeAdapterTypes.Document;

/** A page that people read has a few thousand elements, a few dozen deep; browsers themselves stop at 512. */
const MOST_ELEMENTS = 400_000;
const DEEPEST = 400;
/** The parser compares each attribute with all before it. */
const MOST_ATTRIBUTES = 1_000;

class TooMuch extends Error {}

/** Bounded before it is there: a page of megabytes of nested elements takes the parser hours, and whoever walks its tree the stack. */
export function parseHtml(html: string): { ok: true; tree: HtmlTree } | { ok: false; message: string } {
  let depth = 0;
  let elements = 0;
  const parser = new Parser<DefaultTreeAdapterMap>({
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: () => {
        depth += 1;
        elements += 1;
        if (depth > DEEPEST) throw new TooMuch(`its elements stand more than ${DEEPEST} deep in each other`);
        if (elements > MOST_ELEMENTS)
          throw new TooMuch(`it has more than ${MOST_ELEMENTS.toLocaleString('en')} elements`);
      },
      onItemPop: () => void (depth -= 1),
    },
  });
  parser.tokenizer = new BoundedTokenizer({}, parser);
  try {
    parser.tokenizer.write(html, true);
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, message: error.message };
    throw error;
  }
  return { ok: true, tree: parser.document };
}

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    super._leaveAttrName();
    if (this.currentToken !== null && 'attrs' in this.currentToken)
      if (this.currentToken.attrs.length > MOST_ATTRIBUTES)
        throw new TooMuch(
          `an element of it has more than ${MOST_ATTRIBUTES.toLocaleString('en')} attributes`,
        );
  }
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function childrenOf(node: HtmlNode): HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

/** Those within a node, in the order of the page. */
export function elementsIn(node: HtmlNode, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const look = (within: HtmlNode): void => {
    for (const child of childrenOf(within)) {
      if (isElement(child) && isWanted(child)) found.push(child);
      look(child);
    }
  };
  look(node);
  return found;
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

export function hasClass(element: HtmlElement, name: string): boolean {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).includes(name);
}

export function rawTextOf(node: HtmlNode): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return childrenOf(node).map(rawTextOf).join('');
}

export function textOf(node: HtmlNode): string {
  return rawTextOf(node).replace(/\s+/g, ' ').trim();
}

export function isWithin(element: HtmlNode, outer: HtmlNode): boolean {
  for (let at: HtmlNode | null = element; at !== null; at = 'parentNode' in at ? at.parentNode : null)
    if (at === outer) return true;
  return false;
}
