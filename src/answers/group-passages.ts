import type { AnswerPassage } from '../contracts/answer/answer-passage';
import { withoutEncodedText } from '../core/text/encoded-text';
import { stripUnsafe } from '../core/text/untrusted-text';
import { groupedBy } from '../core/values/grouped-by';
import { NO_OBSERVATIONS } from './honest-texts';
import { passageLabel, passageNumber } from './passage-label';

/** A passage as a writer is shown it; what it was shortened to stands for its text. */
export type ShownPassage = Pick<AnswerPassage, 'id' | 'sourceId' | 'document' | 'pages' | 'text'> & {
  compressed?: string | undefined;
};

/** Document 003's context: passages under their documents, both in the order in which they first come. */
export function groupedContext(passages: readonly ShownPassage[]): string {
  const groups = groupedBy(passages, ({ sourceId }) => sourceId);
  return orNothing(
    [...groups.values()].map((group) =>
      [`=== ${documentLine(group)} ===`, group.map(labelled).join('\n\n')].join('\n'),
    ),
  );
}

/** The same labels without the documents' headings, each passage with the name of its own. */
export function flatContext(passages: readonly ShownPassage[]): string {
  return orNothing(
    passages.map((passage) => {
      const { pages } = passage;
      const label = `[${passageLabel(passageNumber(passage), pages)}]`;
      return `${label} ${documentLine([passage])}\n${shownText(passage)}`;
    }),
  );
}

function orNothing(blocks: readonly string[]): string {
  return blocks.length === 0 ? NO_OBSERVATIONS : blocks.join('\n\n');
}

function labelled(passage: ShownPassage): string {
  return `[${passageLabel(passageNumber(passage), passage.pages)}]\n${shownText(passage)}`;
}

function documentLine([passage]: readonly ShownPassage[]): string {
  return oneLine(passage?.document ?? '').replace(/={2,}/g, '=');
}

/** On one line: no line of a text can then pass for a label or for the heading of another document. */
function shownText({ text, compressed }: ShownPassage): string {
  return oneLine(compressed ?? text);
}

function oneLine(text: string): string {
  return withoutEncodedText(stripUnsafe(text)).replace(/\s+/g, ' ').trim();
}
