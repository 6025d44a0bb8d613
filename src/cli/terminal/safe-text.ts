import { stripUnsafe } from '../../core/text/untrusted-text';
import { visibleJson } from '../../core/values/told-value';

/** One line for a terminal out of what a source, a model or another service wrote. */
export function safeLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

/** As `safeLine`, with its line breaks kept. */
export function safeBlock(text: string): string {
  return stripUnsafe(text).trim();
}

/** As `safeLine`, shortened at a word to at most `maxChars` characters. */
export function safeExcerpt(text: string, maxChars: number): string {
  const line = safeLine(text);
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxChars / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A JSON document that says exactly the value and can be shown in any terminal. */
export function safeJson(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}
