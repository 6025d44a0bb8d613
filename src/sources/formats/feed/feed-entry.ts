/** An entry of a feed; what it does not say is empty. */
export interface FeedEntry {
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
