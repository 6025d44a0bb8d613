import type { AnswerInput } from '../../../steps/answer/contract';
import { numberedPassages } from '../../../steps/answer/passage-context';
import { comparableText, withoutEndMarks } from '../../../verification/quotes/comparable-text';
import type { Echoes } from '../grounding/echoes';
import { createGrounding, type Grounding } from '../grounding/grounding';

/** What a writer was given, as its reply is held against it. */
export interface ReplyMaterial {
  grounding: Grounding;
  /** What may be named where it is said that something is missing: the conversation's words as well. */
  asked: Grounding;
  echoes: Echoes;
  /** The passage behind a number of the prompt; null where there is none. */
  passageOf(number: string): string | null;
  /** Whether a text stands in one of the passages, word for word. */
  isQuoted(text: string): boolean;
}

export function createReplyMaterial(input: AnswerInput, echoes: Echoes): ReplyMaterial {
  const { question, passages, history } = input;
  const ids = numberedPassages(input).map(({ id }) => id);
  const told = [
    question,
    ...passages.map(({ text }) => text),
    ...passages.map(({ document, title, author, site, publishedAt }) =>
      [document, title, author, site, publishedAt].join('\n'),
    ),
  ];
  const quotable = passages.flatMap(({ text, title }) => [
    comparableText(text).text,
    comparableText(title).text,
  ]);
  return {
    grounding: createGrounding(told),
    asked: createGrounding([...told, ...history.map(({ content }) => content)]),
    echoes,
    passageOf: (number) => ids[Number(number) - 1] ?? null,
    isQuoted(text) {
      const wanted = withoutEndMarks(comparableText(text).text);
      return quotable.some((quote) => quote.includes(wanted));
    },
  };
}
