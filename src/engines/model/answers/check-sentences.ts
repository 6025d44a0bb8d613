import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { Evidence } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import type {
  CheckSentencesInput,
  CheckSentencesOutput,
  SentenceVerdict,
} from '../../../steps/check-sentences/contract';
import { checkedSources, sentenceIds } from '../../../steps/check-sentences/prompt';
import { shortLine } from '../grounding/plain-line';
import { createQuoteFinder } from '../quotes/locate-quote';
import { fieldOf, type Reading, unreadable } from './reading';
import { halves, type StepAnswer } from './step-answer';

const Verdict = z.object({
  sentence: z.string(),
  borne: z.boolean(),
  source: z.string(),
  quote: z.string(),
  reason: z.string(),
});
const Answer = z.object({ verdicts: z.array(Verdict) });
const Item = Verdict.extend({
  source: z.string().catch(''),
  quote: z.string().catch(''),
  reason: z.string().catch(''),
});

/** A quote of fewer words stands in every text. */
const FEWEST_QUOTED_WORDS = 4;
const MAX_REASON_CHARS = 200;

export const checkSentencesAnswer: StepAnswer<CheckSentencesInput, CheckSentencesOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.checkSentences,
  toOutput: verdictsOf,
  smaller(input) {
    const parts = halves(input.sentences);
    return (parts ?? []).map((sentences) => {
      const cited = new Set(sentences.flatMap(({ sourceIds }) => sourceIds));
      return { sentences, evidence: input.evidence.filter(({ sourceId }) => cited.has(sourceId)) };
    });
  },
  merge: (_input, parts) => ({ verdicts: parts.flatMap(({ output }) => output.verdicts) }),
};

/** What is missing or cannot be read confirms nothing; it is not asked for again, so that a section costs one call. */
function verdictsOf(input: CheckSentencesInput, answer: unknown): Reading<CheckSentencesOutput> {
  const list = Array.isArray(answer) ? answer : fieldOf(answer, 'verdicts');
  if (!Array.isArray(list)) return unreadable('the answer has no list "verdicts"', 'answer-incomplete');
  const sources = checkedSources(input);
  const ids = sentenceIds(input);
  const sentences = new Map(input.sentences.map((sentence) => [sentence.id, sentence]));
  const finder = createQuoteFinder(windowsOf(input.evidence));
  const verdicts = new Map<string, SentenceVerdict>();
  for (const value of list) {
    const { data: item } = Item.safeParse(value);
    const sentence = sentences.get(ids.idOf(item?.sentence ?? '') ?? '');
    if (item === undefined || sentence === undefined || verdicts.has(sentence.id)) continue;
    const located =
      item.borne && item.quote.split(/\s+/).length >= FEWEST_QUOTED_WORDS
        ? finder.locate(item.quote, sources.idOf(item.source))
        : null;
    const isHeld =
      located !== null && located.match !== 'fuzzy' && sentence.sourceIds.includes(located.evidence.sourceId);
    verdicts.set(sentence.id, {
      sentenceId: sentence.id,
      borne: item.borne,
      evidence: isHeld ? located.evidence : null,
      reason: shortLine(item.reason, MAX_REASON_CHARS),
    });
  }
  return { output: { verdicts: [...verdicts.values()] }, problems: [], warnings: [], parts: verdicts.size };
}

/** Each source with its quotes for passages. */
function windowsOf(evidence: readonly Evidence[]): SourceWindow[] {
  const bySource = new Map<string, Evidence[]>();
  for (const one of evidence) bySource.set(one.sourceId, [...(bySource.get(one.sourceId) ?? []), one]);
  return [...bySource].map(([sourceId, quotes]) => ({
    sourceId,
    title: '',
    quality: { level: 'general', reason: '' },
    summaryOnly: false,
    passages: quotes.map(({ quote, start, end }) => ({ text: quote, start, end, headings: [] })),
  }));
}
