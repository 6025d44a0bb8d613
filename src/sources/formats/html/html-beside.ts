import { BLOCKS, proseOf, sizeOf, type Sizes } from './html-sizes';
import { childrenOf, type HtmlElement, type HtmlNode, isElement, rawTextOf } from './html-tree';

/** A text that stands together has so much of the paragraphs that have no title of another text; else what is beside it may belong to it. */
const TOGETHER = 0.5;
/** Fewer titles are no list of them; behind the text one is enough where a paragraph tells of it. */
const LEAST_TITLES = 2;
/** A form with more of the paragraphs is one around the whole page. */
const FORM_SHARE = 0.1;
const LEAST_NUMBERS = 5;

/**
 * What stands beside the text of a page and tells of others: where most paragraphs stand together, whatever outside of them has a title of
 * another text for each of its paragraphs. The heading of the page stays.
 */
export function besideText(
  root: HtmlNode,
  heading: HtmlNode | null,
  sizes: Sizes,
): (element: HtmlElement) => boolean {
  const text = mostTogether(root, sizes);
  const around = new Set([...upFrom(text), ...upFrom(heading)]);
  const beside = new Set<HtmlNode>();
  let isBehind = false;
  const look = (within: HtmlNode): void => {
    for (const child of childrenOf(within)) {
      if (child === text) isBehind = true;
      else if (isElement(child) && !around.has(child) && tellsOfOthers(child, isBehind, sizes))
        beside.add(child);
      else look(child);
    }
  };
  look(root);
  const ofOthers = [...beside].reduce((sum, element) => sum + proseOf(element, sizes), 0);
  const isOneText = sizeOf(text, sizes).together >= TOGETHER * (proseOf(root, sizes) - ofOthers);
  return (element) => isOneText && beside.has(element);
}

function mostTogether(root: HtmlNode, sizes: Sizes): HtmlNode {
  return childrenOf(root).reduce((most: HtmlNode, child) => {
    const within = mostTogether(child, sizes);
    return sizeOf(within, sizes).together > sizeOf(most, sizes).together ? within : most;
  }, root);
}

function upFrom(node: HtmlNode | null): HtmlNode[] {
  const above: HtmlNode[] = [];
  for (let at = node; at !== null; at = 'parentNode' in at ? at.parentNode : null) above.push(at);
  return above;
}

function tellsOfOthers(element: HtmlElement, isBehind: boolean, sizes: Sizes): boolean {
  const { titles, paragraphs } = sizeOf(element, sizes);
  const least = isBehind && paragraphs > 0 ? 1 : LEAST_TITLES;
  return BLOCKS.has(element.tagName) && titles >= least && titles >= paragraphs;
}

export function isForm(element: HtmlElement, root: HtmlNode, sizes: Sizes): boolean {
  return element.tagName === 'form' && proseOf(element, sizes) < FORM_SHARE * proseOf(root, sizes);
}

/** The numbers of lines beside them. */
export function isNumbering(element: HtmlElement): boolean {
  if (element.tagName !== 'td' && element.tagName !== 'pre') return false;
  const numbers = rawTextOf(element).trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length >= LEAST_NUMBERS && numbers.every((number, at) => number === String(first + at));
}
