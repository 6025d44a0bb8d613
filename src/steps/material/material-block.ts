import { withoutEncodedText } from '../../core/text/encoded-text';
import { stripUnsafe } from '../../core/text/untrusted-text';

/** Text from outside on one line, without what a model reads and nobody sees. */
export function promptLine(text: string): string {
  return withoutEncodedText(stripUnsafe(text)).replace(/\s+/g, ' ').trim();
}

/** A piece of material between lines that its text cannot guess; were the mark known to it, it is taken out. */
export function materialBlock(mark: string, name: string, text: string): string {
  const safe = withoutEncodedText(stripUnsafe(text)).replaceAll(mark, '').trim();
  return `=== ${mark} ${name} ===\n${safe}\n=== ${mark} end ===`;
}
