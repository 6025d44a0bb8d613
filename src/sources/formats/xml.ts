import { SaxesParser } from 'saxes';
import { UnfitDocument } from './parsed-document';

export interface XmlElement {
  name: string;
  local: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

const MAX_DEPTH = 400;
const MAX_ELEMENTS = 2_000_000;

interface XmlOptions {
  /** Elements with this local name are passed to `take` and not kept. */
  each?: { local: string; take: (element: XmlElement) => void };
}

/** Only the five predefined entities are expanded. Throws `UnfitDocument`. */
export function parseXml(xml: string, { each }: XmlOptions = {}): XmlElement {
  const top: XmlElement = { name: '', local: '', attributes: {}, children: [] };
  const open: XmlElement[] = [top];
  let held = 0;
  const parser = new SaxesParser({ xmlns: false });
  const add = (text: string): void => void open.at(-1)?.children.push(text);
  parser.on('opentag', ({ name, attributes }) => {
    held += 1;
    if (open.length > MAX_DEPTH)
      throw new UnfitDocument(`its XML stands more than ${MAX_DEPTH} deep in itself`);
    if (held > MAX_ELEMENTS)
      throw new UnfitDocument(`its XML has more than ${MAX_ELEMENTS.toLocaleString('en')} elements`);
    const element = { name, local: localName(name), attributes, children: [] };
    if (each?.local !== element.local) open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (each === undefined || element?.local !== each.local) return;
    each.take(element);
    held = open.length;
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('error', (error) => {
    throw new UnfitDocument(`its XML is broken: ${error.message}; save it anew`);
  });
  parser.write(xml).close();
  return top;
}

export function childElements(element: XmlElement, local?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement =>
      typeof child !== 'string' && (local === undefined || child.local === local),
  );
}

export function descendantElements(element: XmlElement, local: string): XmlElement[] {
  return childElements(element).flatMap((child) => [
    ...(child.local === local ? [child] : []),
    ...descendantElements(child, local),
  ]);
}

export function xmlText(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : xmlText(child))).join('');
}

export function attributeByName({ attributes }: XmlElement, local: string): string | undefined {
  return attributes[local] ?? Object.entries(attributes).find(([name]) => localName(name) === local)?.[1];
}

export function isTrueAttribute(element: XmlElement, local: string): boolean {
  return /^(?:1|true)$/.test(attributeByName(element, local) ?? '');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
