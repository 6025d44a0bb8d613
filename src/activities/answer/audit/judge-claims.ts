import type { AnswerDraft, AnswerSentence } from '../../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import type { Evidence } from '../../../contracts/report/finding';
import { traitsOf } from '../../../contracts/run/engines';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { NO_USAGE } from '../../../core/budget/usage';
import { quotedVerdict } from '../../../core/settled-text/quoted-verdict';
import { preparePassages } from '../../../verification/prepared-passages';
import { verifyPrepared } from '../../../verification/verify-prepared';
import { askCritic, type CriticsAnswer, type OpenSentence } from '../../shared/ask-critic';
import { isDecidedByWords } from '../../shared/decided-by-words';
import type { ActivityPorts } from '../../shared/ports';
import type { runStep } from '../../shared/run-step';
import type { AnswerBrief } from '../answer-brief';

/**
 * A verdict for each claim of a draft by its place: by words, against what it cites and beside what else was read; then by the
 * critic, where words cannot tell and there is one. Places are told by a passage's id, with offsets into the passage.
 */
export async function judgeClaims(
  ports: ActivityPorts,
  run: AnswerBrief,
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  passages: readonly AnswerPassage[],
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<CriticsAnswer> {
  const verdicts = new Map<number, ClaimVerdict>();
  const open: OpenSentence[] = [];
  const byWordsOf = wordsVerdicts(passages);
  for (const [place, sentence] of sentences.entries()) {
    if (!sentence.isClaim) continue;
    const { byWords, evidence } = byWordsOf(sentence);
    verdicts.set(place, byWords);
    if (!isDecidedByWords(byWords) && evidence.length > 0)
      open.push({ place, plain: sentence.plain, evidence, byWords });
  }
  if (open.length === 0 || !traitsOf(run.engine).asksModels)
    return { verdicts, logicalGaps: [], usage: NO_USAGE, warnings: [] };
  const said = await askCritic(ports, run, open, at);
  return { ...said, verdicts: new Map([...verdicts, ...said.verdicts]) };
}

function wordsVerdicts(
  passages: readonly AnswerPassage[],
): (sentence: AnswerSentence) => { byWords: ClaimVerdict; evidence: Evidence[] } {
  const prepared = preparePassages(passages.map(({ id, text }) => ({ sourceId: id, text, start: 0 })));
  return ({ text, plain, passageIds }) => {
    const cited = passages.flatMap(({ id }, place) => (passageIds.includes(id) ? [place] : []));
    const ofThem = passages.filter(({ id }) => passageIds.includes(id));
    const evidence = ofThem.map((passage) => ({
      sourceId: passage.id,
      quote: passage.text,
      start: 0,
      end: passage.text.length,
    }));
    const attribution = ofThem
      .flatMap(({ author = '', publishedAt = '', title, document }) => [
        author,
        publishedAt.slice(0, 10),
        ...new Set([title, document]),
      ])
      .filter((words) => words !== '');
    return {
      evidence,
      byWords: quotedVerdict(text, evidence) ?? verifyPrepared(plain, prepared, { cited, attribution }),
    };
  };
}
