import { escapeWithinLine } from '../../core/text/untrusted-text';
import { isRecord } from '../../core/values/is-record';

/** The text of a run's result: that of a report or a brief, or an answer's with the list of what it cites. Null where it has none. */
export function resultMarkdown(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const { markdown, answer, citations } = value;
  if (typeof markdown === 'string') return markdown.trim() === '' ? null : markdown;
  if (typeof answer !== 'string' || !Array.isArray(citations)) return null;
  const entries = citations.filter(isRecord).map(entryOf);
  return `${answer.trim()}\n\n## Sources\n\n${entries.join('\n')}\n`;
}

function entryOf({ n, author, title, publishedAt, url }: Record<string, unknown>): string {
  const told = [author, title, publishedAt].filter((part) => typeof part === 'string');
  const words = told.map((part) => escapeWithinLine(part.replace(/\s+/g, ' '))).join('. ');
  const address = typeof url === 'string' && /^https?:\/\/[^\s<>]+$/.test(url) ? ` <${url}>` : '';
  return `${Number(n)}. ${words}${address}`;
}
