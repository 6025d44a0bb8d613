import { unescapedMarkdown } from '../../core/text/markdown-addresses';
import { stripUnsafe } from '../../core/text/untrusted-text';

/** Emphasis, which no terminal shows; what is escaped is a sign of the text. */
const EMPHASIS = /(?<!\\)\*\*/g;

/** Markdown as somebody reads it at a terminal, line by line as it stands. */
export function plainText(markdown: string): string {
  return stripUnsafe(markdown)
    .split('\n')
    .map((line) => unescapedMarkdown(line.replace(EMPHASIS, '')))
    .join('\n');
}
