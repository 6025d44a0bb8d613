import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { MAX_SUMMARY_CHARS } from '../../../contracts/source/source';
import { splitSentences } from '../../../language/sentences';
import { sourceShortIds } from '../../../steps/material/short-ids';
import type { SummariseInput, SummariseOutput } from '../../../steps/summarise/contract';
import { assertsNothing } from '../grounding/asserts-nothing';
import { createGrounding, isBorne } from '../grounding/grounding';
import { createOrderedWords, type OrderedWords } from '../grounding/ordered-words';
import { plainLine, shortLine } from '../grounding/plain-line';
import { type AnswerProblem, readItems, type Reading } from './reading';
import { halves, leftOf, type StepAnswer } from './step-answer';

type SummarisedSource = SummariseInput['sources'][number];

const Item = z.object({ source: z.string(), summary: z.string() });

export const summariseAnswer: StepAnswer<SummariseInput, SummariseOutput> = {
  schema: z.object({ summaries: z.array(Item) }),
  lists: ['summaries'],
  temperature: 0,
  maxOutputTokens: (input) => input.sources.length * MAX_OUTPUT_TOKENS.summariseSource,
  toOutput: summariesOf,
  smaller(input, reason) {
    const sources = halves(input.sources);
    if (sources !== null) return sources.map((half) => ({ ...input, sources: half }));
    const [source] = input.sources;
    const passages = source === undefined || reason !== 'too-long' ? null : halves(source.passages);
    // How a source begins says most of what it is about.
    return source === undefined || passages === null
      ? []
      : [{ ...input, sources: [{ ...source, passages: passages[0] }] }];
  },
  whatIsLeft(input, answer) {
    const ids = sourceShortIds(input.sources);
    const done = readItems(answer, 'summaries', Item, []).map(({ item }) => ids.idOf(item.source));
    const sources = leftOf(input.sources, done, ({ sourceId }) => sourceId);
    return sources === null ? null : { ...input, sources };
  },
  merge(input, parts) {
    const written = new Map(
      parts.flatMap(({ output }) => output.summaries.map(({ sourceId, summary }) => [sourceId, summary])),
    );
    return {
      summaries: input.sources.map((source) => ({
        sourceId: source.sourceId,
        summary: written.get(source.sourceId) ?? openingOf(source),
      })),
    };
  },
};

function summariesOf(input: SummariseInput, answer: unknown): Reading<SummariseOutput> {
  const problems: AnswerProblem[] = [];
  const ids = sourceShortIds(input.sources);
  const ordered = createOrderedWords(
    input.sources.flatMap(({ title, passages }) => [title, ...passages.map(({ text }) => text)]),
  );
  const written = new Map<string, string>();
  for (const { item, path } of readItems(answer, 'summaries', Item, problems)) {
    const id = ids.idOf(item.source);
    const source = input.sources.find(({ sourceId }) => sourceId === id);
    const summary = source === undefined ? '' : fitting(borneBy(source, plainLine(item.summary), ordered));
    if (id === undefined || summary === '') {
      problems.push({
        path,
        message:
          id === undefined
            ? `"${item.source}" is not one of the sources`
            : 'no sentence of it is in the source',
        code: id === undefined ? 'unknown-source' : 'item-invalid',
        warning: 'A summary that belongs to no source, or is empty, was dropped.',
      });
    } else if (!written.has(id)) written.set(id, summary);
  }
  for (const { sourceId } of input.sources) {
    if (written.has(sourceId)) continue;
    problems.push({
      path: 'summaries',
      message: `there is no summary of ${ids.shortOf(sourceId)}`,
      code: 'summary-missing',
      warning: 'A source was not summarised, and stands for itself with its first sentences.',
    });
  }
  if (written.size === 0) return { output: null, problems, warnings: [], parts: 0 };
  const output = {
    summaries: input.sources.map((source) => ({
      sourceId: source.sourceId,
      summary: written.get(source.sourceId) ?? openingOf(source),
    })),
  };
  return { output, problems, warnings: [], parts: written.size };
}

/** The sentences that keep to the source, and state something. `ordered` knows all that the model has read. */
function borneBy(source: SummarisedSource, summary: string, ordered: OrderedWords): string {
  const { title, author, site, publishedAt, passages } = source;
  const named = [title, author, site, publishedAt].join('\n');
  const grounding = createGrounding([named, ...passages.map(({ text }) => text)], ordered);
  return splitSentences(summary)
    .map(({ text }) => text)
    .filter((sentence) => isBorne(sentence, grounding) && !assertsNothing(sentence))
    .join(' ');
}

/** Whole sentences up to the limit; a first sentence that is longer is cut at a word. */
function fitting(text: string): string {
  if (text.length <= MAX_SUMMARY_CHARS) return text;
  const ends = splitSentences(text).map(({ end }) => end);
  const end = ends.filter((candidate) => candidate <= MAX_SUMMARY_CHARS).at(-1);
  return end === undefined ? shortLine(text, MAX_SUMMARY_CHARS) : text.slice(0, end);
}

function openingOf({ title, passages }: SummarisedSource): string {
  const text = plainLine(
    passages
      .map((passage) => passage.text)
      .join(' ')
      .slice(0, 4 * MAX_SUMMARY_CHARS),
  );
  const stated = splitSentences(text)
    .filter((sentence) => !assertsNothing(sentence.text))
    .map((sentence) => sentence.text)
    .join(' ');
  return fitting(stated) || shortLine(title, MAX_SUMMARY_CHARS) || 'No text.';
}
