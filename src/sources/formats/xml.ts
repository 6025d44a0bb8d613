import { SaxesParser } from 'saxes';
import { UnfitDocument } from './parsed-document';

export interface XmlElement {
  name: string;
  local: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

const DEEPEST = 400;
const MOST_ELEMENTS = 2_000_000;

interface XmlOptions {
  /** True to ignore syntax errors, as in feeds. */
  isLenient?: boolean;
  /** Elements with this local name are passed to `take` and not kept. */
  each?: { local: string; take: (element: XmlElement) => void };
}

/** Only the five predefined entities are expanded. Throws `UnfitDocument`. */
export function parseXml(xml: string, { isLenient = false, each }: XmlOptions = {}): XmlElement {
  const top: XmlElement = { name: '', local: '', attributes: {}, children: [] };
  const open: XmlElement[] = [top];
  let held = 0;
  const parser = new SaxesParser({ xmlns: false });
  const add = (text: string): void => void open.at(-1)?.children.push(text);
  parser.on('opentag', ({ name, attributes }) => {
    held += 1;
    if (open.length > DEEPEST) throw new UnfitDocument(`its XML stands more than ${DEEPEST} deep in itself`);
    if (held > MOST_ELEMENTS)
      throw new UnfitDocument(`its XML has more than ${MOST_ELEMENTS.toLocaleString('en')} elements`);
    const element = { name, local: localOf(name), attributes, children: [] };
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
    if (!isLenient) throw new UnfitDocument(`its XML is broken: ${error.message}; save it anew`);
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

export function elementsBelow(element: XmlElement, local: string): XmlElement[] {
  return childElements(element).flatMap((child) => [
    ...(child.local === local ? [child] : []),
    ...elementsBelow(child, local),
  ]);
}

export function xmlTextOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : xmlTextOf(child))).join('');
}

export function attributeNamed({ attributes }: XmlElement, local: string): string | undefined {
  return attributes[local] ?? Object.entries(attributes).find(([name]) => localOf(name) === local)?.[1];
}

export function isSet(element: XmlElement, local: string): boolean {
  return /^(?:1|true)$/.test(attributeNamed(element, local) ?? '');
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
