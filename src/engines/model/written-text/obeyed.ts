import type { TextPart, TextStatement } from '../../../contracts/report/written-text';
import type { SourceWindow } from '../../../contracts/source/passage';
import { hasEncodedText } from '../../../core/text/encoded-text';
import { editText } from '../../../core/written-text/edit-text';
import { plainText, statementsOf } from '../../../core/written-text/read-text';
import { splitSentences } from '../../../language/sentences';
import { assertsNothing } from '../grounding/asserts-nothing';
import { quotableIn } from '../text/cited-material';
import { createOrderedWords } from '../grounding/ordered-words';

const ADDRESS = /\bhttps?:\/\/|\bwww\./i;
const ASKS = /\?["'”’)\]]*[.!]?$/;

/** True for a model's words that follow an order in the sources: they have words that stand only in orders, an address or a code. */
export type Obeyed = (text: string) => boolean;

/** So many words in a row of an order are no chance. */
const REPEATED_WORDS = 7;

/** True for a sentence that repeats words of a question or an order in the sources. */
export function createRepeatsOrder(sources: readonly SourceWindow[]): (text: string) => boolean {
  const orders = sources.flatMap(({ passages }) =>
    passages.flatMap(({ text }) =>
      splitSentences(text).flatMap((one) => (assertsNothing(one.text) ? one.text : [])),
    ),
  );
  const isOrdered = quotableIn(orders);
  return (text) => {
    const words = text.split(/\s+/);
    return words.some((_word, at) => {
      const run = words.slice(at, at + REPEATED_WORDS);
      return run.length === REPEATED_WORDS && isOrdered(run.join(' '));
    });
  };
}

export function createObeyed(sources: readonly SourceWindow[]): Obeyed {
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
 * uncited sentences that repeat an order.
 */
export function withoutObeyed(
  markdown: string,
  { obeyed, repeatsOrder }: { obeyed: Obeyed; repeatsOrder: (text: string) => boolean },
): string {
  const lines = markdown.split('\n').filter((line) => !line.startsWith('#') || !obeyed(plainText(line)));
  const part: TextPart = { id: 'block', title: 'block', markdown: lines.join('\n').trim() };
  const statements = statementsOf(part).map((one, at): TextStatement => ({ ...one, id: `${at}` }));
  const edits = statements
    .filter(({ plain, sourceIds }) => {
      const isCited = sourceIds.length > 0;
      return obeyed(plain) || (isCited ? ASKS.test(plain) : repeatsOrder(plain));
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
