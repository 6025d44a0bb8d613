import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { Evidence } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import {
  CriticVerdict,
  MAX_LOGICAL_GAPS,
  type AuditInput,
  type AuditOutput,
  type SentenceVerdict,
} from '../../../steps/audit/contract';
import { auditedSources, sentenceIds } from '../../../steps/audit/prompt';
import { nameSource } from '../../../steps/material/described-source';
import { distinctBy } from '../../../core/values/distinct-by';
import { createGrounding, type Grounding, isBorne } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { createQuoteFinder, type QuoteFinder } from '../quotes/locate-quote';
import { fieldOf, type Reading, unreadable } from './reading';
import { halves, type StepAnswer } from './step-answer';

const Quoted = z.object({ source: z.string(), quote: z.string() });
const Item = z.object({
  sentence: z.string(),
  verdict: CriticVerdict,
  quotes: z.array(Quoted),
  without: z.array(z.string()),
  reason: z.string(),
});
const Answer = z.object({ verdicts: z.array(Item), gaps: z.array(z.string()) });
/** Models that know one quote to a sentence give it beside the verdict. */
const ReadItem = z.object({
  sentence: z.string(),
  verdict: z.string().toLowerCase().trim().pipe(CriticVerdict),
  quotes: z.array(Quoted.extend({ source: z.string().catch('') })).catch([]),
  source: z.string().catch(''),
  quote: z.string().catch(''),
  without: z.array(z.string()).catch([]),
  reason: z.string().catch(''),
});

/** A quote of fewer words stands in every text. */
const FEWEST_QUOTED_WORDS = 4;
const MAX_REMARK_CHARS = 200;

export const auditAnswer: StepAnswer<AuditInput, AuditOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.audit,
  toOutput: auditOf,
  smaller(input) {
    return (halves(input.sentences) ?? []).map((sentences) => {
      const cited = new Set(sentences.flatMap(({ sourceIds }) => sourceIds));
      const isCited = ({ sourceId }: { sourceId: string }): boolean => cited.has(sourceId);
      return {
        sentences,
        evidence: input.evidence.filter(isCited),
        sources: input.sources.filter(isCited),
      };
    });
  },
  merge: (_input, parts) => ({
    verdicts: parts.flatMap(({ output }) => output.verdicts),
    logicalGaps: parts.flatMap(({ output }) => output.logicalGaps).slice(0, MAX_LOGICAL_GAPS),
  }),
};

/** What is missing or cannot be read says nothing; it is not asked for again, so that a section costs one call. */
function auditOf(input: AuditInput, answer: unknown): Reading<AuditOutput> {
  const list = Array.isArray(answer) ? answer : fieldOf(answer, 'verdicts');
  if (!Array.isArray(list)) return unreadable('the answer has no list "verdicts"', 'answer-incomplete');
  const sources = auditedSources(input);
  const ids = sentenceIds(input);
  const sentences = new Map(input.sentences.map((sentence) => [sentence.id, sentence]));
  const finder = createQuoteFinder(windowsOf(input.evidence));
  const grounding = createGrounding([
    ...input.evidence.map(({ quote }) => quote),
    ...input.sentences.map(({ text }) => text),
    ...input.sources.map(nameSource),
  ]);
  const verdicts = new Map<string, SentenceVerdict>();
  for (const value of list) {
    const { data: item } = ReadItem.safeParse(value);
    const sentence = sentences.get(ids.idOf(item?.sentence ?? '') ?? '');
    if (item === undefined || sentence === undefined || verdicts.has(sentence.id)) continue;
    const quotes = [...item.quotes, { source: item.source, quote: item.quote }].flatMap(
      ({ source, quote }) => quotedIn(finder, quote, sources.idOf(source), sentence) ?? [],
    );
    const bearing = new Set(quotes.map(({ sourceId }) => sourceId));
    const without = item.without.flatMap((name) => sources.idOf(name) ?? []);
    verdicts.set(sentence.id, {
      sentenceId: sentence.id,
      verdict: item.verdict,
      quotes: distinctBy(quotes, ({ sourceId, start, end }) => `${sourceId}@${start}-${end}`),
      notBorneBy: [...new Set(without)].filter((id) => sentence.sourceIds.includes(id) && !bearing.has(id)),
      reason: remarksIn([item.reason], grounding)[0] ?? '',
    });
  }
  const output: AuditOutput = {
    verdicts: [...verdicts.values()],
    logicalGaps: remarksIn(gapsIn(answer), grounding).slice(0, MAX_LOGICAL_GAPS),
  };
  return { output, problems: [], warnings: [], parts: verdicts.size };
}

/** Where the words stand in what the sentence cites; null where they do not. */
function quotedIn(
  finder: QuoteFinder,
  quote: string,
  sourceId: string | undefined,
  sentence: AuditInput['sentences'][number],
): Evidence | null {
  if (quote.split(/\s+/).length < FEWEST_QUOTED_WORDS) return null;
  const located = finder.locate(quote, sourceId);
  const isHeld =
    located !== null && located.match !== 'fuzzy' && sentence.sourceIds.includes(located.evidence.sourceId);
  return isHeld ? located.evidence : null;
}

function gapsIn(answer: unknown): string[] {
  return z.array(z.string()).safeParse(fieldOf(answer, 'gaps')).data ?? [];
}

/** A critic's own words, which a reader sees: those that bring nothing in that neither the sentences nor the quotes have. */
function remarksIn(texts: readonly string[], grounding: Grounding): string[] {
  return texts
    .map((text) => shortLine(text, MAX_REMARK_CHARS))
    .filter((text) => /\p{L}/u.test(text) && isBorne(text, grounding));
}

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
