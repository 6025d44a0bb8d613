import { z } from 'zod';
import { givenJson } from '../../../core/values/given-json';
import { UnfitDocument } from '../parsing/parsed-document';
import type { FeedEntry } from './feed-entry';

const Text = z.string().catch('');
const Author = z.object({ name: Text });
/** jsonfeed.org, versions 1 and 1.1; what is of another kind says nothing. */
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

export function jsonFeedEntries(text: string): FeedEntry[] {
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
