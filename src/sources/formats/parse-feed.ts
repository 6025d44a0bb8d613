import { z } from 'zod';
import { givenJson } from '../../lib/json';
import { isoDate } from '../../lib/strings';
import { parsedUrl } from '../../lib/url';
import { htmlMarkdown } from './html-markdown';
import { boundedTree } from './parse-html';
import { decodedText, type Parsed, type ParsedDocument, UnfitDocument } from './parsed-document';
import { childElements, elementsBelow, parseXml, type XmlElement, xmlTextOf } from './xml';

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
  const text = decodedText(bytes);
  const entries = text.trimStart().startsWith('{') ? jsonFeedEntries(text) : xmlEntries(text);
  if (entries.length === 0) throw new UnfitDocument('the feed has no entries');
  return { ok: true, documents: entries.map(documentOf) };
}

function documentOf({ html, text, ...said }: FeedEntry): ParsedDocument {
  const content = html === '' ? text : htmlMarkdown(boundedTree(html));
  const { protocol } = parsedUrl(said.url) ?? { protocol: '' };
  const fields = { ...said, title: oneLineOf(said.title), url: /^https?:$/.test(protocol) ? said.url : '' };
  return { fields, parts: [{ text: content }] };
}

/** Titles may contain markup. */
function oneLineOf(title: string): string {
  return /<\w/.test(title) ? htmlMarkdown(boundedTree(title)).trim() : title;
}

function xmlEntries(xml: string): FeedEntry[] {
  const feed = parseXml(xml, { isLenient: true });
  const [channel] = [...elementsBelow(feed, 'channel'), ...elementsBelow(feed, 'feed')];
  const site = channel === undefined ? '' : said(channel, 'title');
  const license = channel === undefined ? '' : said(channel, 'rights') || said(channel, 'copyright');
  const language = channel === undefined ? '' : said(channel, 'language');
  const about = { site, license, language };
  const atom = elementsBelow(feed, 'entry').map((entry) => ({ ...about, ...atomEntry(entry) }));
  return [...elementsBelow(feed, 'item').map((item) => ({ ...about, ...rssEntry(item) })), ...atom];
}

type OwnFields = Omit<FeedEntry, 'site' | 'license' | 'language'>;

function rssEntry(item: XmlElement): OwnFields {
  return {
    title: said(item, 'title'),
    url: said(item, 'link') || said(item, 'guid'),
    author: said(item, 'dc:creator') || said(item, 'author'),
    publishedAt: isoDate(said(item, 'dc:date') || said(item, 'pubDate')) ?? '',
    html: said(item, 'content:encoded') || said(item, 'description'),
    text: '',
  };
}

function atomEntry(entry: XmlElement): OwnFields {
  const links = childElements(entry, 'link').map(({ attributes }) => attributes);
  const link = links.find(({ rel = 'alternate' }) => rel === 'alternate');
  const [content] = [...named(entry, 'content'), ...named(entry, 'summary')];
  const type = content?.attributes.type ?? 'text';
  const written = content === undefined ? '' : type === 'xhtml' ? markupOf(content) : xmlTextOf(content);
  return {
    title: said(entry, 'title'),
    url: link?.href ?? '',
    author: named(entry, 'author')
      .map((author) => said(author, 'name'))
      .join('; '),
    publishedAt: isoDate(said(entry, 'published') || said(entry, 'updated')) ?? '',
    html: /html/.test(type) ? written : '',
    text: /html/.test(type) ? '' : written,
  };
}

/** Compares the prefixed name, so that `media:title` is not `title`. */
function named(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((child) => child.name === name);
}

function said(element: XmlElement, name: string): string {
  return named(element, name).map(xmlTextOf).join('; ').trim();
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
  const json = givenJson(text);
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
