import { z } from 'zod';
import { MAX_OUTPUT_TOKENS, maxCompressedTokens } from '../../contracts/budget';
import { MAX_SUMMARY_CHARS } from '../../contracts/source';
import { countWords } from '../../report/attribution';
import { sourceShortIds } from '../../steps/material';
import {
  type CompressInput,
  type CompressOutput,
  passageShortIds,
  type SummariseInput,
  type SummariseOutput,
} from '../../steps/summarise';
import { numbersIn, type TextNumber, unitRatio } from '../../text/numbers';
import { splitSentences } from '../../text/sentences';
import {
  containsQuestion,
  createGrounding,
  createInjectedWords,
  type InjectedWords,
  isGrounded,
  lacksAssertion,
  plainLine,
  shortLine,
} from './grounding';
import {
  type AnswerFormat,
  type AnswerProblem,
  halves,
  parseItems,
  type ParseResult,
  unansweredItems,
} from './model-step';

type SummarisedSource = SummariseInput['sources'][number];

const Item = z.object({ source: z.string(), summary: z.string() });

export const summariseAnswer: AnswerFormat<SummariseInput, SummariseOutput> = {
  schema: z.object({ summaries: z.array(Item) }),
  lists: ['summaries'],
  temperature: 0,
  maxOutputTokens: (input) => input.sources.length * MAX_OUTPUT_TOKENS.summariseSource,
  toOutput: readSummaries,
  smaller(input, reason) {
    const sources = halves(input.sources);
    if (sources !== null) return sources.map((half) => ({ ...input, sources: half }));
    const [source] = input.sources;
    const passages = source === undefined || reason !== 'too-long' ? null : halves(source.passages);
    // The opening describes a source best.
    return source === undefined || passages === null
      ? []
      : [{ ...input, sources: [{ ...source, passages: passages[0] }] }];
  },
  whatIsLeft(input, answer) {
    const ids = sourceShortIds(input.sources);
    const done = parseItems(answer, 'summaries', Item, []).map(({ item }) => ids.idOf(item.source));
    const sources = unansweredItems(input.sources, done, ({ sourceId }) => sourceId);
    return sources === null ? null : { ...input, sources };
  },
  merge(input, parts) {
    const written = new Map(
      parts.flatMap(({ output }) => output.summaries.map(({ sourceId, summary }) => [sourceId, summary])),
    );
    return {
      summaries: input.sources.map((source) => ({
        sourceId: source.sourceId,
        summary: written.get(source.sourceId) ?? sourceOpening(source),
      })),
    };
  },
};

function readSummaries(input: SummariseInput, answer: unknown): ParseResult<SummariseOutput> {
  const problems: AnswerProblem[] = [];
  const ids = sourceShortIds(input.sources);
  const ordered = createInjectedWords(
    input.sources.flatMap(({ title, passages }) => [title, ...passages.map(({ text }) => text)]),
  );
  const written = new Map<string, string>();
  for (const { item, path } of parseItems(answer, 'summaries', Item, problems)) {
    const id = ids.idOf(item.source);
    const source = input.sources.find(({ sourceId }) => sourceId === id);
    const summary =
      source === undefined ? '' : fitSummary(groundedSentences(source, plainLine(item.summary), ordered));
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
      summary: written.get(source.sourceId) ?? sourceOpening(source),
    })),
  };
  return { output, problems, warnings: [], parts: written.size };
}

/** `ordered` covers all texts in the prompt. */
function groundedSentences(source: SummarisedSource, summary: string, ordered: InjectedWords): string {
  const { title, author, site, publishedAt, passages } = source;
  const named = [title, author, site, publishedAt].join('\n');
  const grounding = createGrounding([named, ...passages.map(({ text }) => text)], ordered);
  return splitSentences(summary)
    .map(({ text }) => text)
    .filter((sentence) => isGrounded(sentence, grounding) && !lacksAssertion(sentence))
    .join(' ');
}

function fitSummary(text: string): string {
  if (text.length <= MAX_SUMMARY_CHARS) return text;
  const ends = splitSentences(text).map(({ end }) => end);
  const end = ends.filter((candidate) => candidate <= MAX_SUMMARY_CHARS).at(-1);
  return end === undefined ? shortLine(text, MAX_SUMMARY_CHARS) : text.slice(0, end);
}

function sourceOpening({ title, passages }: SummarisedSource): string {
  const text = plainLine(
    passages
      .map((passage) => passage.text)
      .join(' ')
      .slice(0, 4 * MAX_SUMMARY_CHARS),
  );
  const stated = splitSentences(text)
    .filter((sentence) => !lacksAssertion(sentence.text))
    .map((sentence) => sentence.text)
    .join(' ');
  return fitSummary(stated) || shortLine(title, MAX_SUMMARY_CHARS) || 'No text.';
}

const ELLIPSIS = ' …';

const CompressedItem = z.object({ passage: z.string(), summary: z.string() });

/** Least share of a summary's content words that occur in its passage. */
const MIN_SHARED_WORDS = 0.6;

export const compressAnswer: AnswerFormat<CompressInput, CompressOutput> = {
  schema: z.object({ summaries: z.array(CompressedItem) }),
  temperature: 0,
  maxOutputTokens: ({ passages, maxChars }) => maxCompressedTokens(passages.length, maxChars),
  toOutput: readCompressed,
  smaller: (input) => (halves(input.passages) ?? []).map((passages) => ({ ...input, passages })),
  whatIsLeft(input, answer) {
    const ids = passageShortIds(input);
    const done = parseItems(answer, 'summaries', CompressedItem, []).map(({ item }) =>
      ids.idOf(item.passage),
    );
    const passages = unansweredItems(input.passages, done, ({ id }) => id);
    return passages === null ? null : { ...input, passages };
  },
  merge(input, parts) {
    // The later answer wins.
    const said = new Map(
      parts.flatMap(({ output }) => output.summaries.map(({ id, text }) => [id, text] as const)),
    );
    return fillWithCuts(input, said);
  },
  standIn: (input) => fillWithCuts(input, new Map()),
};

function readCompressed(input: CompressInput, answer: unknown): ParseResult<CompressOutput> {
  const problems: AnswerProblem[] = [];
  const ids = passageShortIds(input);
  const ordered = createInjectedWords(input.passages.map(({ text }) => text));
  const passages = new Map(input.passages.map(({ id, text }) => [id, text]));
  const said = new Map<string, string>();
  const refused = new Set<string>();
  for (const { item, path } of parseItems(answer, 'summaries', CompressedItem, problems)) {
    const id = ids.idOf(item.passage);
    const passage = id === undefined ? undefined : passages.get(id);
    if (id === undefined || passage === undefined) {
      problems.push({
        path,
        message: `"${item.passage}" is not one of the passages`,
        code: 'unknown-passage',
        warning: 'A summary of a passage that was not given was dropped.',
      });
      continue;
    }
    if (said.has(id)) continue;
    const summary = plainLine(item.summary);
    const wrong = !isGroundedSummary(passage, summary, ordered)
      ? 'it is no statement of the passage in its words'
      : summaryProblem(summary, passage, input.maxChars);
    if (wrong === null) said.set(id, summary);
    else {
      refused.add(id);
      problems.push(cutProblem(path, `the summary of ${ids.shortOf(id)}: ${wrong}`));
    }
  }
  for (const { id } of input.passages) {
    if (said.has(id) || refused.has(id)) continue;
    problems.push(cutProblem('summaries', `there is no summary of ${ids.shortOf(id)}`));
  }
  const output = said.size === 0 ? null : fillWithCuts(input, said);
  return { output, problems, warnings: [], parts: said.size };
}

function isGroundedSummary(passage: string, summary: string, ordered: InjectedWords): boolean {
  if (lacksAssertion(summary) || containsQuestion(summary) || ordered(summary).length > 0) return false;
  const grounding = createGrounding([passage], ordered);
  return !grounding.isEnglish() || grounding.share(summary) >= MIN_SHARED_WORDS;
}

function summaryProblem(summary: string, passage: string, maxChars: number): string | null {
  if (!/[\p{L}\p{N}]/u.test(summary)) return 'it says nothing';
  if (summary.length >= maxChars)
    return `it has ${summary.length} characters; fewer than ${maxChars} are wanted`;
  if (countWords(summary) > countWords(passage)) return 'it has more words than the passage';
  const { lost, invented } = compareNumbers(passage, summary);
  if (invented.length > 0) return `${invented.join(', ')} is no number of the passage`;
  // If the numbers alone exceed the limit, a summary has to keep more of them than a cut would.
  const left = compareNumbers(passage, cutPassage(passage, maxChars)).lost;
  const mayLose = lost.join(' ').length >= maxChars && lost.length < left.length;
  return lost.length === 0 || mayLose ? null : `it lacks the numbers ${lost.join(', ')}`;
}

function cutProblem(path: string, message: string): AnswerProblem {
  return {
    path,
    message,
    code: 'passage-cut',
    warning: 'A passage was not shortened well by a model, and was cut.',
  };
}

/** Cuts the passages that a model did not shorten (document 004). */
function fillWithCuts(
  { passages, maxChars }: CompressInput,
  said: ReadonlyMap<string, string>,
): CompressOutput {
  return {
    summaries: passages.map(({ id, text }) => ({ id, text: said.get(id) ?? cutPassage(text, maxChars) })),
  };
}

/** Shorter than `maxChars`, with an ellipsis. Cuts no number and no unit; a single longer word is cut anywhere. */
export function cutPassage(passage: string, maxChars: number): string {
  const text = passage.trim();
  if (text.length < maxChars) return text;
  const most = Math.max(1, maxChars - 1 - ELLIPSIS.length);
  // One more character, to detect a word that ends at the limit.
  const lastSpace = text.slice(0, most + 1).search(/\s\S*$/);
  let end = lastSpace > 0 ? lastSpace : most;
  const split = numbersIn(text.slice(0, most + 40)).find(
    ({ start, end: to, endOfUnit }) => start < end && end < Math.max(to, endOfUnit),
  );
  if (split !== undefined && split.start > 0) end = split.start;
  const kept = text.slice(0, end).replace(/[\s,;:–-]+$|[\uD800-\uDBFF]$/, '');
  return kept === '' ? text.slice(0, most) : `${kept}${ELLIPSIS}`;
}

/** As written, each once. */
export function compareNumbers(text: string, shorter: string): { lost: string[]; invented: string[] } {
  const [long, short] = [writtenNumbers(text), writtenNumbers(shorter)];
  const without = (one: readonly WrittenNumber[], other: readonly WrittenNumber[]): string[] => [
    ...new Set(
      one.filter((number) => !other.some((held) => isSameNumber(number, held))).map(({ written }) => written),
    ),
  ];
  return { lost: without(long, short), invented: without(short, long) };
}

type WrittenNumber = TextNumber & { written: string };

function writtenNumbers(text: string): WrittenNumber[] {
  const plain = text.normalize('NFKC').replace(/[‐‑]/g, '-');
  return numbersIn(plain).map((number) => ({ ...number, written: plain.slice(number.start, number.end) }));
}

/** Compares without rounding; a missing unit matches any unit. */
function isSameNumber(one: TextNumber, other: TextNumber): boolean {
  const told = one.unit !== '' && other.unit !== '';
  const ratio = told ? unitRatio(one.unit, other.unit) : 1;
  if (ratio === null) return false;
  const [a, b] = [Math.abs(one.value * ratio), Math.abs(other.value)];
  return Math.abs(a - b) <= 1e-9 * Math.max(1, a, b);
}
