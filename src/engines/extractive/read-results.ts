import type { ResultSentence, ResultSentences } from '../../core/agreement/result-sentences';
import type { Assertion } from '../../core/assertions/assertion';
import { assertionOf } from '../../core/assertions/assertion-of';
import type { Evidence, Finding, StudyContext } from '../../core/contracts/finding';
import type { SourceWindow } from '../../core/contracts/passage';
import { studyContextOf } from '../../core/study-context';

/** What sentences of further sources assert, each read once, however many findings are held against it. */
export interface ResultReader {
  read(result: ResultSentence): Assertion | null;
  /** The same with the people of the whole study, where the sentence and the title name none: worth its time only for what seems to contradict. */
  readClosely(result: ResultSentence): Assertion | null;
  /** Who was studied and how; read from the source where no finding tells. */
  contextOf(sourceId: string): StudyContext | undefined;
}

export function resultReader(
  windows: readonly SourceWindow[],
  findings: readonly Finding[],
  acronyms: ResultSentences['acronyms'],
): ResultReader {
  const byId = new Map(windows.map((window) => [window.sourceId, window]));
  const contexts = new Map(
    findings.flatMap((finding) => finding.contexts.map((context) => [context.sourceId, context] as const)),
  );
  const contextOf = (sourceId: string): StudyContext | undefined => {
    const window = byId.get(sourceId);
    const known = contexts.get(sourceId);
    if (known !== undefined || window === undefined) return known;
    const context = studyContextOf(window);
    contexts.set(sourceId, context);
    return context;
  };
  const assertion = (
    { sentence, source }: ResultSentence,
    participants: string | undefined,
  ): Assertion | null =>
    assertionOf(sentence.text, {
      title: source.title,
      acronyms: acronyms.get(source.sourceId) ?? new Map<string, string>(),
      ...(participants === undefined ? {} : { participants }),
    });
  return {
    read: once((result) => assertion(result, contexts.get(result.source.sourceId)?.participants)),
    readClosely: once((result) => assertion(result, contextOf(result.source.sourceId)?.participants)),
    contextOf,
  };
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
