import type { ResultSentence, ResultSentences } from '../../core/agreement/result-sentences';
import type { Assertion } from '../../core/assertions/assertion';
import { assertionOf } from '../../core/assertions/assertion-of';
import type { Evidence } from '../../core/contracts/finding';

/** What sentences of further sources assert, each read once, however many findings are held against it. */
export interface ResultReader {
  read(result: ResultSentence): Assertion | null;
  readClosely(result: ResultSentence): Assertion | null;
}

export function resultReader(acronyms: ResultSentences['acronyms']): ResultReader {
  const read = once(({ sentence, source }) =>
    assertionOf(sentence.text, {
      title: source.title,
      acronyms: acronyms.get(source.sourceId) ?? new Map<string, string>(),
    }),
  );
  return { read, readClosely: read };
}

export function evidenceOf({ source, sentence }: ResultSentence): Evidence {
  return { sourceId: source.sourceId, quote: sentence.text, start: sentence.start, end: sentence.end };
}

function once(
  read: (result: ResultSentence) => Assertion | null,
): (result: ResultSentence) => Assertion | null {
  const known = new Map<ResultSentence, Assertion | null>();
  return (result) => {
    const before = known.get(result);
    if (before !== undefined) return before;
    const assertion = read(result);
    known.set(result, assertion);
    return assertion;
  };
}
