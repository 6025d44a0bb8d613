import type { AnswerDraft, AnswerSentence } from '../../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import { traitsOf } from '../../../contracts/run/engines';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { NO_USAGE } from '../../../core/budget/usage';
import { quotedVerdict } from '../../../core/settled-text/quoted-verdict';
import { markedText } from '../../../core/text/citation-marks';
import { absentNumbers, numberedTexts } from '../../../verification/absent-numbers';
import { clausesOf } from '../../../verification/clauses';
import { judgeSentence } from '../../../verification/judge-sentence';
import { preparePassages } from '../../../verification/prepared-passages';
import { verifyPrepared } from '../../../verification/verify-prepared';
import { askCritic, type CriticsAnswer, type OpenSentence } from '../../shared/ask-critic';
import { isSaidByAll } from '../../shared/said-by-all';
import type { ActivityPorts } from '../../shared/ports';
import type { runStep } from '../../shared/run-step';
import { decidedBefore, type DecidedClaim } from '../../shared/texts/decided-claims';
import type { AnswerBrief } from '../answer-brief';

/**
 * A verdict for each claim of a draft by its place: what was decided of the same sentence before, else by words, against what it
 * cites and beside what else was read; then by the critic, where words do not find it said and there is one. Places are told by a passage's id, with offsets into the passage.
 */
export async function judgeClaims(
  ports: ActivityPorts,
  run: AnswerBrief,
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  { passages, decided }: { passages: readonly AnswerPassage[]; decided: readonly DecidedClaim[] },
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<CriticsAnswer> {
  const verdicts = new Map<number, ClaimVerdict>();
  const open: OpenSentence[] = [];
  const byWordsOf = wordsVerdicts(passages);
  for (const [place, sentence] of sentences.entries()) {
    if (!sentence.isClaim) continue;
    const before = decidedBefore(sentence, decided);
    const weighed = { place, ...byWordsOf(sentence) };
    verdicts.set(place, before ?? weighed.byWords);
    if (before === null && !isSaidByAll(weighed) && weighed.evidence.length > 0) open.push(weighed);
  }
  if (open.length === 0 || !traitsOf(run.engine).asksModels)
    return { verdicts, logicalGaps: [], usage: NO_USAGE, warnings: [] };
  const sources = passages.map(({ id, title, author, site, publishedAt }) => ({
    sourceId: id,
    title,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
  }));
  const said = await askCritic(ports, run, open, { ...at, sources });
  return { ...said, verdicts: new Map([...verdicts, ...said.verdicts]) };
}

function wordsVerdicts(
  passages: readonly AnswerPassage[],
): (sentence: AnswerSentence) => Omit<OpenSentence, 'place'> {
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
    const byWords = quotedVerdict(text, evidence) ?? verifyPrepared(plain, prepared, { cited, attribution });
    const heldBy = passageIds.filter(
      (id) =>
        byWords.evidence?.sourceId === id ||
        saysPartOf(
          plain,
          passages.find((one) => one.id === id),
        ),
    );
    const numbered = numberedTexts([...evidence.map(({ quote }) => quote), ...attribution]);
    const hasForeignNumber = absentNumbers(plain, numbered).length > 0;
    return {
      plain,
      marked: markedText(text),
      evidence,
      byWords,
      sourceIds: passageIds,
      heldBy,
      hasForeignNumber,
    };
  };
}

/** Whether a passage says one of the statements that a sentence joins in nearly its words. */
function saysPartOf(sentence: string, passage: AnswerPassage | undefined): boolean {
  if (passage === undefined) return false;
  const cited = { passages: [passage.text], attribution: [], numbersFrom: [] };
  return clausesOf(sentence).some((clause) => judgeSentence(clause, cited).verdict === 'close');
}
