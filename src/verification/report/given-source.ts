/** A source that a report may cite, with its text. A `SourceRecord` with its id and title is one. */
export interface GivenSource {
  id: string;
  title: string;
  content: string;
  url?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
}
