import { groupBy } from '../../lib/iterables';
import furniture from './data/page-furniture.json';
import { measureText, nameWords } from './html-article';
import {
  attributeOf,
  childrenOf,
  elementsIn,
  hasNoOpacity,
  type HtmlElement,
  type HtmlNode,
  type HtmlTree,
  isElement,
  styleOf,
} from './html-tree';

// Dialogs over the text of a page, and text that they or an animation hide for a while.

/** Share of the text of a page above which an attribute that hides it is a state of the page. */
const MAIN_SHARE = 0.5;
/** The same for elements that are alike or move. A single short text stays hidden. */
const ANIMATED_SHARE = 0.15;

/** Changes the page. */
export function uncoverText(page: HtmlTree): {
  hasNotice: boolean;
  /** Text that stays hidden although it may be content. */
  hidden: HiddenText;
} {
  const notices = outermost(page, isConsentNotice);
  remove(notices);
  const hidden = revealText(page);
  const hasOtherText = (measureText(page, isDialog).get(page)?.prose ?? 0) > 0;
  if (hasOtherText) remove(outermost(page, isDialog));
  return { hasNotice: notices.length > 0, hidden };
}

export interface HiddenText {
  paragraphs: number;
  tables: number;
}

function outermost(node: HtmlNode, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  return childrenOf(node).flatMap((child) => {
    if (isElement(child) && isWanted(child)) return [child];
    return outermost(child, isWanted);
  });
}

function remove(elements: readonly HtmlElement[]): void {
  const removed = new Set<HtmlNode>(elements);
  for (const parent of new Set(elements.map(({ parentNode }) => parentNode)))
    if (parent !== null) parent.childNodes = parent.childNodes.filter((child) => !removed.has(child));
}

const DIALOG_ROLES = new Set(['dialog', 'alertdialog']);
const CONSENT_NAMES = new Set(furniture.consent.names);
const CONSENT_SUBJECTS = new Set(furniture.consent.subjects);
const CONSENT_SHAPES = new Set(furniture.consent.shapes);

function isDialog(element: HtmlElement): boolean {
  const isOne =
    element.tagName === 'dialog' ||
    DIALOG_ROLES.has(attributeOf(element, 'role') ?? '') ||
    attributeOf(element, 'aria-modal') === 'true';
  return isOne && !holds(element, /^(?:body|main|article)$/);
}

function isConsentNotice(element: HtmlElement): boolean {
  const names = [attributeOf(element, 'id'), attributeOf(element, 'class')]
    .flatMap((value) => (value ?? '').split(/\s+/))
    .map(nameWords);
  const has = (known: ReadonlySet<string>): boolean =>
    names.some((words) => words.some((word) => known.has(word)));
  if (!has(CONSENT_NAMES) && !has(CONSENT_SUBJECTS)) return false;
  if (isDialog(element)) return true;
  const isShape = (word: string | undefined): boolean => word !== undefined && CONSENT_SHAPES.has(word);
  const isNamed = names.some((words) =>
    words.some(
      (word, at) => CONSENT_NAMES.has(word) || (CONSENT_SUBJECTS.has(word) && isShape(words[at + 1])),
    ),
  );
  // Pages name their state too, such as `cookie-banner-open`.
  return isNamed && !holds(element, /^(?:body|main|article|h1)$/);
}

function holds(element: HtmlElement, what: RegExp): boolean {
  return what.test(element.tagName) || elementsIn(element, ({ tagName }) => what.test(tagName)).length > 0;
}

interface Veil {
  element: HtmlElement;
  attribute: { value: string };
  /** The attribute as given. */
  value: string;
  /** Elements with equal keys appear together. */
  key: string;
  isMoved: boolean;
}

const MOVEMENT = /^(?:-webkit-)?(?:transform|translate|scale|rotate|transition|animation|will-change)/;
const FADING = /(?:^|;)\s*(?:opacity|visibility)\s*:[^;]*/gi;
/** Beside movement, what a style of a section that fades in says. */
const FADED = /^(?:opacity|visibility|display|)$/;

const ARIA = 'aria-hidden';

function veilsOf(element: HtmlElement): Veil[] {
  return element.attrs.flatMap((attribute) => {
    const { name, value } = attribute;
    if (name === ARIA)
      return value === 'true' ? [{ element, attribute, value, key: ARIA, isMoved: false }] : [];
    if (name !== 'style' || !hasNoOpacity(element)) return [];
    const isMoved = [...styleOf(element).keys()].some((property) => MOVEMENT.test(property));
    return [{ element, attribute, value, key: value.replace(/\s+/g, ''), isMoved }];
  });
}

/** Lifts all veils, measures the text behind each kind, and puts back those before little text. */
function revealText(page: HtmlTree): HiddenText {
  const veils = elementsIn(page, () => true).flatMap(veilsOf);
  for (const { attribute, key } of veils)
    attribute.value = key === ARIA ? 'false' : attribute.value.replace(FADING, '');
  const sizes = measureText(page, isDialog);
  const proseOf = (node: HtmlNode): number => sizes.get(node)?.prose ?? 0;
  const hidden: HiddenText = { paragraphs: 0, tables: 0 };
  for (const [key, group] of groupBy(veils, (veil) => veil.key)) {
    const elements = new Set<HtmlNode>(group.map(({ element }) => element));
    const texts = group.filter(({ element }) => proseOf(element) > 0 && !isInside(element, elements));
    const shown = new Set(texts);
    const prose = texts.reduce((sum, { element }) => sum + proseOf(element), 0);
    const isAnimated = key !== ARIA && (texts.length > 1 || group.some(({ isMoved }) => isMoved));
    const isMost = prose > 0 && prose >= (isAnimated ? ANIMATED_SHARE : MAIN_SHARE) * proseOf(page);
    const isRead = isMost || (key !== ARIA && group.every(isSection));
    // Symbols and formulas that are hidden for good stay so behind a dialog.
    const isLifted = (veil: Veil): boolean =>
      key !== ARIA || shown.has(veil) || proseOf(veil.element) >= MAIN_SHARE * proseOf(page);
    for (const veil of group) if (!isRead || !isLifted(veil)) veil.attribute.value = veil.value;
    if (isRead) continue;
    for (const { element } of texts) hidden.paragraphs += sizes.get(element)?.paragraphs ?? 0;
    if (key !== ARIA)
      hidden.tables += group.filter(
        ({ element }) => holds(element, /^table$/) && !isInside(element, elements),
      ).length;
  }
  return hidden;
}

const MAX_BESIDE = 8;

/** A part with a heading, which moves or stands beside another such part, and is hidden by nothing else. */
function isSection({ element, value, isMoved }: Veil): boolean {
  const properties = [...styleOf(element).keys()];
  if (/visibility\s*:\s*hidden/i.test(value) || !hasHeading(element)) return false;
  if (!properties.every((name) => FADED.test(name) || MOVEMENT.test(name))) return false;
  const siblings = element.parentNode === null ? [] : childrenOf(element.parentNode);
  const isLike = (beside: HtmlNode): boolean =>
    beside !== element && isElement(beside) && beside.tagName === element.tagName && hasHeading(beside);
  const at = siblings.indexOf(element);
  return isMoved || siblings.slice(Math.max(0, at - MAX_BESIDE), at + MAX_BESIDE + 1).some(isLike);
}

function hasHeading(element: HtmlElement): boolean {
  return elementsIn(element, ({ tagName }) => /^h[1-6]$/.test(tagName)).length > 0;
}

function isInside(element: HtmlElement, outer: ReadonlySet<HtmlNode>): boolean {
  for (
    let at: HtmlNode | null = element.parentNode;
    at !== null;
    at = 'parentNode' in at ? at.parentNode : null
  )
    if (outer.has(at)) return true;
  return false;
}
