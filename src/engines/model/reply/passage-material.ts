import type { AnswerInput } from '../../../steps/answer/contract';
import { numberedPassages } from '../../../steps/answer/passage-context';
import type { Echoes } from '../grounding/echoes';
import { createGrounding } from '../grounding/grounding';
import { type CitedMaterial, quotableIn } from '../text/cited-material';
import { readPassageCitations } from './passage-citations';
import { isOfTelling, tellsWhatIsMissing } from './tells-missing';

/** Of the content words of what is said to be missing, so many stand in the question, the conversation or the passages. */
const LEAST_ASKED = 0.3;
/** What ends so leads to what follows. */
const LEADS_ON = /:$/;

/** Passages, as an answer from them is read against them. */
export function createPassageMaterial(input: AnswerInput, echoes: Echoes): CitedMaterial {
  const { question, passages, history } = input;
  const ids = numberedPassages(input).map(({ id }) => id);
  const told = [
    question,
    ...passages.map(({ text }) => text),
    ...passages.map(({ document, title, author, site, publishedAt }) =>
      [document, title, author, site, publishedAt].join('\n'),
    ),
  ];
  const asked = createGrounding([...told, ...history.map(({ content }) => content)]);
  return {
    cites: 'passage',
    grounding: createGrounding(told),
    said: createGrounding([question, ...passages.map(({ text }) => text)]),
    echoes,
    // Passages are read whole, and much of what is said of them is in other words.
    leastOfUncited: 0.5,
    readCitations: readPassageCitations,
    idsOf: (number) => ids.slice(Number(number) - 1, Number(number)),
    isQuoted: quotableIn(passages.flatMap(({ text, title }) => [text, title])),
    restsOn: () => ({ findingIds: [], isClose: false }),
    connects: (sentence) => (LEADS_ON.test(sentence) && !/\d/.test(sentence) ? 'close' : null),
    missing: {
      isTold: tellsWhatIsMissing,
      mayBeTold: (sentence) =>
        asked.strangers(sentence).length === 0 &&
        (asked.share(sentence, isOfTelling) >= LEAST_ASKED || !asked.isEnglish()),
    },
  };
}
