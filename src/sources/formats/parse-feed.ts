import { z } from 'zod';
import { parseBoundedJson } from '../../lib/json';
import { isoDate } from '../../lib/strings';
import { parseUrl } from '../../lib/url';
import { decodeWithFallback } from './document-text';
import { htmlMarkdown } from './html-markdown';
import { parseBoundedHtml } from './parse-html';
import { type Parsed, type ParsedDocument, UnfitDocument } from './parsed-document';
import { childElements, descendantElements, parseXml, type XmlElement, xmlText } from './xml';

const Text = z.string().catch('');

const Author = z.object({ name: Text });

/** jsonfeed.org, versions 1 and 1.1. Values of another type count as empty. */
const JsonFeed = z.object({
  title: Text,
  language: Text,
  items: z.array(
    z.object({
      title: Text,
      url: Text,
      content_html: Text,
      content_text: Text,
      summary: Text,
      date_published: Text,
      author: Author.optional().catch(undefined),
      authors: z.array(Author).catch([]),
    }),
  ),
});

export function parseFeed(bytes: Uint8Array): Parsed {
  const text = decodeWithFallback(bytes);
  const entries = text.trimStart().startsWith('{') ? jsonFeedEntries(text) : xmlEntries(text);
  if (entries.length === 0) throw new UnfitDocument('the feed has no entries');
  return { ok: true, documents: entries.map(feedDocument) };
}

function feedDocument({ html, text, ...said }: FeedEntry): ParsedDocument {
  const content = html === '' ? text : htmlMarkdown(parseBoundedHtml(html));
  const { protocol } = parseUrl(said.url) ?? { protocol: '' };
  const fields = { ...said, title: plainTitle(said.title), url: /^https?:$/.test(protocol) ? said.url : '' };
  return { fields, parts: [{ text: content }] };
}

/** Titles may contain markup. */
function plainTitle(title: string): string {
  return /<\w/.test(title) ? htmlMarkdown(parseBoundedHtml(title)).trim() : title;
}

function xmlEntries(xml: string): FeedEntry[] {
  const feed = parseXml(xml, { isLenient: true });
  const [channel] = [...descendantElements(feed, 'channel'), ...descendantElements(feed, 'feed')];
  const site = channel === undefined ? '' : childText(channel, 'title');
  const license =
    channel === undefined ? '' : childText(channel, 'rights') || childText(channel, 'copyright');
  const language = channel === undefined ? '' : childText(channel, 'language');
  const about = { site, license, language };
  const atom = descendantElements(feed, 'entry').map((entry) => ({ ...about, ...atomEntry(entry) }));
  return [...descendantElements(feed, 'item').map((item) => ({ ...about, ...rssEntry(item) })), ...atom];
}

type OwnFields = Omit<FeedEntry, 'site' | 'license' | 'language'>;

function rssEntry(item: XmlElement): OwnFields {
  return {
    title: childText(item, 'title'),
    url: childText(item, 'link') || childText(item, 'guid'),
    author: childText(item, 'dc:creator') || childText(item, 'author'),
    publishedAt: isoDate(childText(item, 'dc:date') || childText(item, 'pubDate')) ?? '',
    html: childText(item, 'content:encoded') || childText(item, 'description'),
    text: '',
  };
}

function atomEntry(entry: XmlElement): OwnFields {
  const links = childElements(entry, 'link').map(({ attributes }) => attributes);
  const link = links.find(({ rel = 'alternate' }) => rel === 'alternate');
  const [content] = [...childrenNamed(entry, 'content'), ...childrenNamed(entry, 'summary')];
  const type = content?.attributes.type ?? 'text';
  const written = content === undefined ? '' : type === 'xhtml' ? markupOf(content) : xmlText(content);
  return {
    title: childText(entry, 'title'),
    url: link?.href ?? '',
    author: childrenNamed(entry, 'author')
      .map((author) => childText(author, 'name'))
      .join('; '),
    publishedAt: isoDate(childText(entry, 'published') || childText(entry, 'updated')) ?? '',
    html: /html/.test(type) ? written : '',
    text: /html/.test(type) ? '' : written,
  };
}

/** Compares the prefixed name, so that `media:title` is not `title`. */
function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((child) => child.name === name);
}

function childText(element: XmlElement, name: string): string {
  return childrenNamed(element, name).map(xmlText).join('; ').trim();
}

function markupOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/&/g, '&amp;').replace(/</g, '&lt;');
      return `<${child.local}>${markupOf(child)}</${child.local}>`;
    })
    .join('');
}

function jsonFeedEntries(text: string): FeedEntry[] {
  const json = parseBoundedJson(text);
  if (!json.ok) throw new UnfitDocument(json.message);
  const feed = JsonFeed.safeParse(json.value);
  if (!feed.success) throw new UnfitDocument('the feed has no list of items');
  const { title: site, language, items } = feed.data;
  return items.map((item) => ({
    title: item.title,
    url: item.url,
    author: [...item.authors, ...(item.author === undefined ? [] : [item.author])]
      .map(({ name }) => name)
      .join('; '),
    site,
    publishedAt: item.date_published.slice(0, 10),
    license: '',
    language,
    html: item.content_html,
    text: item.content_text || item.summary,
  }));
}

/** Missing values are empty strings. */
interface FeedEntry {
  title: string;
  url: string;
  author: string;
  site: string;
  publishedAt: string;
  license: string;
  language: string;
  html: string;
  text: string;
}
