import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface PageElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  /** Its own descendants, in the order of the page. */
  inside: PageElement[];
}

export interface ReadPage {
  elements: PageElement[];
  byId: (id: string) => PageElement | undefined;
  having: (className: string) => PageElement[];
  errors: string[];
}

export function readPage(markup: string): ReadPage {
  const errors: string[] = [];
  const document = parse(markup, { onParseError: ({ code }) => errors.push(code) });
  const elements = childrenOf(document).flatMap((node) => read(node).found);
  return {
    elements,
    byId: (id) => elements.find(({ attributes }) => attributes.id === id),
    having: (className) =>
      elements.filter(({ attributes }) => (attributes.class ?? '').split(' ').includes(className)),
    errors,
  };
}

type Node = DefaultTreeAdapterTypes.Node;

function childrenOf(node: Node): Node[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function read(node: Node): { found: PageElement[]; text: string } {
  if (node.nodeName === '#text' && 'value' in node) return { found: [], text: node.value };
  const children = childrenOf(node).map(read);
  const inside = children.flatMap(({ found }) => found);
  const text = children.map((child) => child.text).join('');
  if (!('attrs' in node)) return { found: inside, text };
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return { found: [{ name: node.tagName, attributes, text, inside }, ...inside], text };
}
