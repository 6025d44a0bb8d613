import type { Evidence } from '../../../../contracts/report/finding';
import type { SourceWindow } from '../../../../contracts/source/passage';
import { isEnglish } from '../../../../language/is-english';
import { assertsNothing } from '../../grounding/asserts-nothing';
import { createGrounding } from '../../grounding/grounding';
import type { OrderedWords } from '../../grounding/ordered-words';
import type { AnswerProblem } from '../reading';

/** Of a claim's content words so many stand in what it quotes and in its sources' titles; a paraphrase keeps most. */
const LEAST_SHARED = 0.3;

/** Why a claim cannot stand on its evidence; null where it can. `asked` has the words that the model was asked with. */
export function claimProblem(
  claim: string,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
  { asked, ordered }: { asked: readonly string[]; ordered: OrderedWords },
): Omit<AnswerProblem, 'path'> | null {
  if (evidence.length === 0) {
    return {
      message: 'no quote of it was found in the sources',
      code: 'finding-without-evidence',
      warning: 'A finding without evidence in the sources was dropped.',
    };
  }
  if (claim === '' || assertsNothing(claim)) {
    return {
      message: 'its claim states nothing',
      code: 'item-invalid',
      warning: 'An item of a model’s answer did not keep its schema and was dropped.',
    };
  }
  const cited = evidence.flatMap(({ sourceId }) => windows.get(sourceId) ?? []);
  const described = cited.map(({ title, author, site, publishedAt }) =>
    [title, author, site, publishedAt].join('\n'),
  );
  const read = cited.flatMap((window) => window.passages.map((passage) => passage.text));
  const strangers = createGrounding([...read, ...described, ...asked], ordered).strangers(claim);
  if (strangers.length > 0) {
    return {
      message: `its claim has ${strangers.join(', ')}, which is not in the sources that it quotes`,
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  const quotes = evidence.map(({ quote }) => quote);
  const shared = createGrounding([...quotes, ...cited.map(({ title }) => title)]).share(claim);
  if (isEnglish(claim) && isEnglish(quotes.join(' ')) && shared < LEAST_SHARED) {
    return {
      message: 'its claim is not what its quotes say',
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  return null;
}
