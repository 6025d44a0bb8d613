import type { RefusedSource } from '../../../core/run/fallback-sentence';
import { citedIds, replaceMarks } from '../../../core/text/citation-marks';
import { distinctBy } from '../../../core/values/distinct-by';
import { ITEM, plainText, statementsOf } from '../../../core/written-text/read-text';
import { splitSentences } from '../../../language/sentences';
import { terms } from '../../../language/words';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { numberedPassages } from '../../../steps/answer/passage-context';
import { StepFailedError } from '../../step-failed-error';
import { createGrounding, type Grounding, isBorne, isHeld } from '../grounding/grounding';
import { PASSAGE_NUMBERS } from '../markdown/citation-tokens';
import { type AskedText, createBlockCleaner, type ReadBlock, streamText } from './stream-text';

/** The line of an answer that says what the passages leave open. */
const MISSING_LABEL = /^[\s>#*_-]*missing[\s*_]*:[\s*_]*/im;
/** `Missing: nothing.` leaves nothing open. */
const LEAST_MISSING_WORDS = 2;
const NOTHING_TO_READ = 'I could not find any passage on the question.';

/**
 * Writes an answer from passages that it cites by number. Throws `StepFailedError` where it cites none of them and says nothing
 * of what is missing.
 */
export async function runAnswer(
  asked: AskedText<AnswerInput, AnswerOutput>,
  input: AnswerInput,
  onText: (text: string) => void,
): Promise<AnswerOutput> {
  if (input.passages.length === 0)
    return { markdown: '', sentences: [], missing: NOTHING_TO_READ, setAside: [] };
  const missing: string[] = [];
  const { markdown, why } = await streamText(
    asked,
    {
      input,
      cites: 'passage',
      // A model that thinks first may need the room of an answer for that alone.
      maxOutputTokens: input.maxTokens * (asked.calls.turn + 1),
      temperature: input.temperature,
      continuations: 0,
      readerOf: (of) => answerReader(of, missing),
      shortened: withBestPassages,
      materialChars: passageChars,
      refusable: { of: sourcesOf, without: withoutSources },
    },
    onText,
  );
  if (citedIds(markdown).length === 0 && missing.length === 0)
    throw new StepFailedError(
      asked.step.name,
      [{ path: 'the answer', message: 'it cites none of the passages' }],
      why ?? { reason: 'uncited' },
    );
  const sentences = statementsOf({ id: 'answer', title: 'answer', markdown }).map(
    ({ text, plain, sourceIds }) => ({ text, plain, passageIds: sourceIds }),
  );
  return {
    markdown,
    sentences,
    missing: missing.length === 0 ? null : [...new Set(missing)].join(' '),
    setAside: [],
  };
}

/** Reads the blocks of an answer, and puts the sentences on what is missing into `missing`. */
function answerReader(input: AnswerInput, missing: string[]): ReadBlock {
  const { question, passages, history } = input;
  const ids = numberedPassages(input).map(({ id }) => id);
  const clean = createBlockCleaner(
    passages.map(({ title, author, text }) => ({ title, author, passages: [{ text }] })),
    (number) => ids[Number(number) - 1],
    PASSAGE_NUMBERS,
  );
  const told = passages.flatMap(({ document, title, author = '', site = '', publishedAt = '', text }) => [
    text,
    [document, title, author, site, publishedAt].join('\n'),
  ]);
  const grounding = createGrounding([question, ...told, ...history.map(({ content }) => content)]);
  return (block) => {
    const label = MISSING_LABEL.exec(block);
    if (label !== null) {
      const rest = clean(block.slice(label.index + label[0].length)).markdown;
      missing.push(...missingSentences(rest, grounding));
    }
    const read = clean(label === null ? block : block.slice(0, label.index));
    return { ...read, markdown: withHeldHeadings(read.markdown, grounding) };
  };
}

/** Nobody audits these sentences: they keep to the words of the question, the conversation and the passages. */
function missingSentences(markdown: string, grounding: Grounding): string[] {
  const lines = markdown.split('\n').map((line) => plainText(line.replace(ITEM, '')));
  return lines
    .flatMap((line) => splitSentences(line).map(({ text }) => text))
    .filter((sentence) => terms(sentence).length >= LEAST_MISSING_WORDS && isBorne(sentence, grounding));
}

/** Nobody audits a heading: one with other words than those of the passages goes. */
function withHeldHeadings(markdown: string, grounding: Grounding): string {
  return markdown
    .replace(/^#{1,6} (.*)$/gm, (_line, title: string) =>
      isHeld(plainText(title), grounding) ? `### ${replaceMarks(title, () => '').trim()}` : '',
    )
    .trim();
}

function sourcesOf({ passages }: AnswerInput): RefusedSource[] {
  const sources = passages.map(({ sourceId, document }) => ({ id: sourceId, title: document }));
  return distinctBy(sources, ({ id }) => id);
}

function withoutSources(input: AnswerInput, ids: ReadonlySet<string>): AnswerInput {
  return { ...input, passages: input.passages.filter(({ sourceId }) => !ids.has(sourceId)) };
}

/** A share of the passages, the best; null for one passage. */
function withBestPassages(input: AnswerInput, share: number): AnswerInput | null {
  const { passages } = input;
  if (passages.length < 2) return null;
  const byScore = [...passages].sort((a, b) => b.score - a.score);
  const most = Math.min(passages.length - 1, Math.ceil(passages.length * share));
  const best = new Set(byScore.slice(0, most));
  return { ...input, passages: passages.filter((passage) => best.has(passage)) };
}

function passageChars({ passages }: AnswerInput): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}
