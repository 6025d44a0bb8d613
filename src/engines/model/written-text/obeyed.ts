import type { TextPart, TextStatement } from '../../../contracts/report/written-text';
import { hasEncodedText } from '../../../core/text/encoded-text';
import { editText } from '../../../core/written-text/edit-text';
import { plainText, statementsOf } from '../../../core/written-text/read-text';
import { comparableText, withoutEndMarks } from '../../../verification/quotes/comparable-text';
import { asksWithin } from '../grounding/asks-within';
import { createOrderedWords } from '../grounding/ordered-words';

const ADDRESS = /\bhttps?:\/\/|\bwww\./i;

/** What a model has read of a source. */
export interface ReadText {
  title: string;
  author?: string | undefined;
  passages: readonly { text: string }[];
}

/** True for a model's words that follow an order in the sources: they have words that stand only in orders, an address or a code. */
export type Obeyed = (text: string) => boolean;

/** A sentence repeats a source if so many of its words stand there in a row, and so large a share of them. */
const REPEATED_WORDS = 7;
const REPEATED_SHARE = 0.6;

/** True for a sentence that is mostly a source's, word for word. */
export function createRepeated(sources: readonly ReadText[]): (text: string) => boolean {
  const quotable = sources.flatMap(({ passages }) => passages.map(({ text }) => comparableText(text).text));
  const isQuoted = (words: string): boolean => {
    const wanted = withoutEndMarks(comparableText(words).text);
    return quotable.some((text) => text.includes(wanted));
  };
  return (text) => {
    const words = text.split(/\s+/);
    const least = Math.max(REPEATED_WORDS, Math.ceil(REPEATED_SHARE * words.length));
    return words.some((_word, at) => {
      const run = words.slice(at, at + least);
      return run.length === least && isQuoted(run.join(' '));
    });
  };
}

export function createObeyed(sources: readonly ReadText[]): Obeyed {
  const ordered = createOrderedWords(
    sources.flatMap(({ title, author = '', passages }) => [
      title,
      author,
      ...passages.map(({ text }) => text),
    ]),
  );
  return (text) => ADDRESS.test(text) || hasEncodedText(text) || ordered(text).length > 0;
}

/**
 * A block without the headings and statements that follow orders, without questions that a source is cited for, and without
 * uncited sentences that repeat a source.
 */
export function withoutObeyed(
  markdown: string,
  { obeyed, repeatsSource }: { obeyed: Obeyed; repeatsSource: (text: string) => boolean },
): string {
  const lines = markdown.split('\n').filter((line) => !line.startsWith('#') || !obeyed(plainText(line)));
  const part: TextPart = { id: 'block', title: 'block', markdown: lines.join('\n').trim() };
  const statements = statementsOf(part).map((one, at): TextStatement => ({ ...one, id: `${at}` }));
  const edits = statements
    .filter(({ text, plain, sourceIds }) => {
      const isCited = sourceIds.length > 0;
      const isRow = text.startsWith('|');
      return obeyed(plain) || (isCited ? !isRow && asksWithin(plain) : repeatsSource(plain));
    })
    .map(({ id }) => ({ statementId: id, text: '', reason: '' }));
  const block = {
    title: '',
    parts: [part],
    statements,
    notes: [],
    changes: [],
    removed: [],
    isChecked: false,
  };
  const rest = editText(block, edits).parts[0]?.markdown ?? '';
  return /\p{L}/u.test(plainText(rest)) ? rest : '';
}
