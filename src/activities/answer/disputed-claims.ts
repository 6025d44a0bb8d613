import type { AnswerSentence } from '../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { Evidence } from '../../contracts/report/finding';
import type { SourceFacts } from '../../core/evidence/distinct-evidence';
import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';
import { answerConflicts } from '../../reading/reconcile/answer-conflicts';
import { findConflicts } from '../../reading/reconcile/find-conflicts';

/**
 * How many claims of an answer its sources contradict each other on, as statements of reports and briefs are held against each
 * other. A claim speaks by the sentences that it rests on, so that both sides may stand in one claim, and in whatever words.
 */
export function countDisputed(
  question: string,
  sentences: readonly AnswerSentence[],
  passages: readonly AnswerPassage[],
): number {
  const documents = passages.filter(({ origin }) => origin === 'text');
  const findings = sentences
    .filter(({ isClaim }) => isClaim)
    .map(({ plain, passageIds }, at) => {
      const cited = documents.filter(({ id }) => passageIds.includes(id));
      const evidence = cited.flatMap((passage) => sentencesBehind(plain, passage));
      const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
      return { id: `${at}`, sectionId: '', claim: plain, confidence: 0, citations, evidence };
    });
  const sources = new Map(
    documents.map(({ sourceId, title, publishedAt }): [string, SourceFacts] => [
      sourceId,
      { title, quality: { level: 'general', reason: '' }, publishedAt },
    ]),
  );
  const conflicts = [
    ...findConflicts(findings, sources, { question }),
    ...answerConflicts(question, findings),
  ];
  return new Set(conflicts.flatMap(({ findingIds }) => findingIds)).size;
}

/** The sentences of a passage that a claim quotes; where it quotes none, the one that shares most words with it. */
function sentencesBehind(claim: string, { sourceId, text, start }: AnswerPassage): Evidence[] {
  const said = new Set(terms(claim));
  const sentences = splitSentences(text).map((sentence) => ({
    ...sentence,
    shared: new Set(terms(sentence.text).filter((term) => said.has(term))).size,
  }));
  const quoted = sentences.filter((sentence) => claim.includes(sentence.text.replace(/\s+/g, ' ')));
  const most = Math.max(0, ...sentences.map(({ shared }) => shared));
  const best = sentences.filter(({ shared }) => shared > 0 && shared === most).slice(0, 1);
  return (quoted.length > 0 ? quoted : best).map((sentence) => ({
    sourceId,
    quote: sentence.text,
    start: start + sentence.start,
    end: start + sentence.end,
  }));
}
