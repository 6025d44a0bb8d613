import { maxTextTokens } from '../../contracts/budget';
import type { RefusedSource } from '../../contracts/run-status';
import type { SourceWindow } from '../../contracts/source';
import { LIST_ITEM, plainText, statementsOf } from '../../evidence/written-text';
import { citedIds, replaceMarks } from '../../lib/citation-marks';
import { distinctBy } from '../../lib/iterables';
import { type AnswerInput, type AnswerOutput, numberedPassages } from '../../steps/answer-question';
import { sourceShortIds } from '../../steps/material';
import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import type { StepProblem } from '../../steps/step';
import type { WriteTextInput, WriteTextOutput } from '../../steps/write-text';
import { splitSentences } from '../../text/sentences';
import { terms } from '../../text/words';
import { StepFailedError } from '../engine';
import { PASSAGE_NUMBERS } from './clean-markdown';
import { createGrounding, type Grounding, isFullyGrounded, isGrounded } from './grounding';
import { sourcesIn } from './step-calls';
import { createBlockCleaner, type ReadBlock, streamText, type TextRun } from './stream-text';

export type TextStepName = Extract<StepName, 'write-text' | 'answer'>;

interface TextStep<Input, Output> {
  run(asked: TextRun<Input, Output>, input: Input, onText: (text: string) => void): Promise<Output>;
  unusable: StepProblem;
}

const textSteps: { [Name in TextStepName]: TextStep<InputOf<Name>, OutputOf<Name>> } = {
  'write-text': {
    run: runWriteText,
    unusable: { path: 'the text', message: 'it cites none of the sources; cite them as [S1]' },
  },
  answer: {
    run: runAnswer,
    unusable: { path: 'the answer', message: 'it cites none of the passages; cite them by number, as [1]' },
  },
};

export function textStepOf<Input, Output>(name: string): TextStep<Input, Output> | undefined {
  if (!Object.hasOwn(textSteps, name)) return undefined;
  // The registry determines input and output by the step's name.
  return textSteps[name as TextStepName] as unknown as TextStep<Input, Output>;
}

const MISSING_LABEL = /^[\s>#*_-]*missing[\s*_]*:[\s*_]*/im;
/** `Missing: nothing.` reports no gap. */
const MIN_MISSING_WORDS = 2;
const NOTHING_TO_READ = 'I could not find any passage on the question.';

/** Throws `StepFailedError` if the answer cites no passage and reports nothing missing. */
async function runAnswer(
  asked: TextRun<AnswerInput, AnswerOutput>,
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
      // Thinking may use up the tokens of the answer.
      maxOutputTokens: input.maxTokens * (asked.calls.turn + 1),
      temperature: input.temperature,
      continuations: 0,
      readerOf: (of) => answerReader(of, missing),
      shortened: keepBestPassages,
      materialChars: passageChars,
      refusable: { of: passageSources, without: removePassageSources },
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

/** Adds the sentences on missing information to `missing`. */
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
    return { ...read, markdown: keepGroundedHeadings(read.markdown, grounding) };
  };
}

/** These sentences are not audited, so they may only use words of the question, the conversation and the passages. */
function missingSentences(markdown: string, grounding: Grounding): string[] {
  const lines = markdown.split('\n').map((line) => plainText(line.replace(LIST_ITEM, '')));
  return lines
    .flatMap((line) => splitSentences(line).map(({ text }) => text))
    .filter((sentence) => terms(sentence).length >= MIN_MISSING_WORDS && isGrounded(sentence, grounding));
}

/** Headings are not audited, so other words than the passages' are not allowed. */
function keepGroundedHeadings(markdown: string, grounding: Grounding): string {
  return markdown
    .replace(/^#{1,6} (.*)$/gm, (_line, title: string) =>
      isFullyGrounded(plainText(title), grounding) ? `### ${replaceMarks(title, () => '').trim()}` : '',
    )
    .trim();
}

function passageSources({ passages }: AnswerInput): RefusedSource[] {
  const sources = passages.map(({ sourceId, document }) => ({ id: sourceId, title: document }));
  return distinctBy(sources, ({ id }) => id);
}

function removePassageSources(input: AnswerInput, ids: ReadonlySet<string>): AnswerInput {
  return { ...input, passages: input.passages.filter(({ sourceId }) => !ids.has(sourceId)) };
}

/** Null for a single passage. */
function keepBestPassages(input: AnswerInput, share: number): AnswerInput | null {
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

const CONTINUATIONS = 2;

/** Throws `StepFailedError` if the text cites none of the sources. */
async function runWriteText(
  asked: TextRun<WriteTextInput, WriteTextOutput>,
  input: WriteTextInput,
  onText: (text: string) => void,
): Promise<WriteTextOutput> {
  const { markdown, why } = await streamText(
    asked,
    {
      input,
      cites: 'source',
      maxOutputTokens: maxTextTokens(input.targetWords),
      continuations: CONTINUATIONS,
      readerOf: ({ sources }) => {
        const ids = sourceShortIds(sources);
        return createBlockCleaner(sources, (name) => ids.idOf(name));
      },
      shortened: shortenInput,
      materialChars,
      refusable: { of: sourcesIn, without: removeTextSources },
    },
    onText,
  );
  if (input.sources.length > 0 && citedIds(markdown).length === 0)
    throw new StepFailedError(
      asked.step.name,
      [{ path: 'the text', message: 'it cites none of the sources' }],
      why ?? { reason: 'uncited' },
    );
  return { markdown };
}

/** Null if nothing can be left out. */
function shortenInput(input: WriteTextInput, share: number): WriteTextInput | null {
  const { form } = input;
  const sources = shortenSources(input.sources, share, { passagesAreWhole: form.kind === 'brief' });
  if (sources !== null) return { ...input, sources };
  if (form.kind === 'whole') return null;
  const soFar = shortenText(form.soFar, share);
  return soFar === null ? null : { ...input, form: { ...form, soFar } };
}

function materialChars({ sources, form }: WriteTextInput): number {
  const passages = sources.flatMap((source) => source.passages);
  const ofSources = passages.reduce((sum, { text }) => sum + text.length, 0);
  return ofSources > 0 || form.kind === 'whole' ? ofSources : form.soFar.length;
}

/** A finding that rests on these sources alone goes, too. */
function removeTextSources(input: WriteTextInput, ids: ReadonlySet<string>): WriteTextInput {
  const sources = input.sources.filter(({ sourceId }) => !ids.has(sourceId));
  if (input.form.kind !== 'section') return { ...input, sources };
  const findings = input.form.findings.flatMap((finding) => {
    const evidence = finding.evidence.filter(({ sourceId }) => !ids.has(sourceId));
    const citations = finding.citations.filter((id) => !ids.has(id));
    return evidence.length === 0 ? [] : [{ ...finding, evidence, citations }];
  });
  return { ...input, sources, form: { ...input.form, findings } };
}

/** Longest sources first, each to its first passages; null if nothing can be left out. `passagesAreWhole` cuts none. */
function shortenSources(
  sources: readonly SourceWindow[],
  share: number,
  { passagesAreWhole = false } = {},
): SourceWindow[] | null {
  const lengths = sources.map(lengthOf);
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const most = evenCap(lengths, whole * share);
  const shortened = sources.map((source) => ({
    ...source,
    passages: passagesAreWhole ? firstWhole(source.passages, most) : firstPassages(source.passages, most),
  }));
  return shortened.reduce((sum, source) => sum + lengthOf(source), 0) < whole ? shortened : null;
}

/** Null if nothing can be left out. */
function shortenText(markdown: string, share: number): string | null {
  const parts = markdown.split(/^(?=## )/m);
  const most = evenCap(
    parts.map(({ length }) => length),
    markdown.length * share,
  );
  const shortened = parts
    .map((part) => (part.length <= most ? part : `${firstSentences(part, most)}\n\n`))
    .join('');
  return shortened.length < markdown.length ? shortened : null;
}

function lengthOf({ passages }: SourceWindow): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The cap on each length that gives all of them the sum `total`. */
function evenCap(lengths: readonly number[], total: number): number {
  let left = total;
  let count = lengths.length;
  for (const length of [...lengths].sort((a, b) => a - b)) {
    if (length * count > left) return left / count;
    left -= length;
    count -= 1;
  }
  return Infinity;
}

type Passages = SourceWindow['passages'];

function firstWhole(passages: Passages, most: number): Passages {
  let chars = 0;
  return passages.filter(({ text }, at) => (chars += text.length) <= most || at === 0);
}

function firstPassages(passages: Passages, most: number): Passages {
  const kept: Passages = [];
  let left = most;
  for (const passage of passages) {
    if (left <= 0) break;
    const text = passage.text.length <= left ? passage.text : firstSentences(passage.text, left);
    left -= passage.text.length;
    if (text === '') break;
    kept.push(
      text.length === passage.text.length ? passage : { ...passage, end: passage.start + text.length, text },
    );
  }
  return kept;
}

function firstSentences(text: string, most: number): string {
  const end = splitSentences(text).reduce(
    (last, sentence) => (sentence.end <= most ? sentence.end : last),
    0,
  );
  if (end > 0) return text.slice(0, end);
  const space = text.lastIndexOf(' ', most);
  return text.slice(0, space > 0 ? space : Math.floor(most));
}
