import { decodeWithFallback, markdownSections } from './document-text';
import { findArticle, measureText } from './html-article';
import { htmlMarkdown } from './html-markdown';
import { type HtmlMetadata, readHtmlMetadata } from './html-metadata';
import { type HiddenText, uncoverText } from './html-overlays';
import { type HtmlTree, parseHtml } from './html-tree';
import { countText, type Parsed, UnfitDocument } from './parsed-document';

export function parseHtmlDocument(bytes: Uint8Array): Parsed {
  const page = parseBoundedHtml(decodeMarkup(bytes));
  const { articleBody, ...fields } = readHtmlMetadata(page);
  const { hasNotice, hidden } = uncoverText(page);
  const text = pageText(page, { title: fields.title, articleBody });
  if (hasNotice && text.length < MIN_TEXT_CHARS)
    throw new UnfitDocument(
      'its text is a notice on cookies or consent; answer that in a browser, and save the page anew',
    );
  const remarks = hidden.paragraphs + hidden.tables === 0 ? [] : [hiddenTextRemark(hidden)];
  return { ok: true, documents: [{ fields, parts: markdownSections(text), remarks }] };
}

function hiddenTextRemark({ paragraphs, tables }: HiddenText): string {
  const counts = [
    ...(paragraphs > 0 ? [countText(paragraphs, 'paragraph')] : []),
    ...(tables > 0 ? [countText(tables, 'table')] : []),
  ];
  return `${counts.join(' and ')} that cannot be seen ${paragraphs + tables === 1 ? 'is' : 'are'} left out`;
}

const MIN_TEXT_CHARS = 140;
/** A page with less than this share of the text that its metadata give does not show it. */
const MIN_SHOWN_SHARE = 0.25;
const MAX_OTHER_CHARS = 500;

function pageText(
  page: HtmlTree,
  { title, articleBody = '' }: Pick<HtmlMetadata, 'title' | 'articleBody'>,
): string {
  const article = findArticle(page, title);
  const { prose = 0 } = measureText(page, article.leaveOut ?? (() => false)).get(page) ?? {};
  const isShown = prose >= MIN_SHOWN_SHARE * articleBody.length || prose > MAX_OTHER_CHARS;
  return isShown ? htmlMarkdown(page, article) : plainMarkdown(articleBody);
}

/** `articleBody` is plain text, though some pages write markup there. */
function plainMarkdown(text: string): string {
  if (/<\/?[a-z][^<]*>/i.test(text)) return htmlMarkdown(parseBoundedHtml(text));
  const escaped = text.replace(/</g, '&lt;').split(/\n+/);
  return htmlMarkdown(parseBoundedHtml(escaped.map((line) => `<p>${line}</p>`).join('')));
}

export function parseBoundedHtml(html: string): HtmlTree {
  const parsed = parseHtml(html);
  if (parsed.ok) return parsed.tree;
  throw new UnfitDocument(`${parsed.message}, which is no page; save it anew, or give its text`);
}

const CHARSET_DECLARATION =
  /<meta[^>]+charset\s*=\s*["']?\s*([\w-]{2,40})|^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]{2,40})/i;
const CHARSET_SEARCH_BYTES = 2_048;

/** HTML or XML, by byte order mark, else UTF-8, else by its declaration. */
export function decodeMarkup(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, CHARSET_SEARCH_BYTES)).toString('latin1');
  const [, inMeta, inXml] = CHARSET_DECLARATION.exec(head) ?? [];
  return decodeWithFallback(bytes, inMeta ?? inXml ?? null);
}
