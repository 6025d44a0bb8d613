import type { FailedStep, RefusedSource } from '../../contracts/run-status';
import { type CitationForm, citationRewriter, type CleanBlock, cleanMarkdown } from './clean-markdown';
import { createInjectionCheck, createSourceCopyCheck, type ReadText, removeInjected } from './grounding';
import { ModelFailure, ThinkingFilter, withoutThinking } from './port';
import {
  findRefused,
  type ModelQuestion,
  PARTLY_READ_WARNING,
  refusedWarning,
  type StepRun,
  unusableReason,
} from './step-calls';

const MAX_SHORTENINGS = 3;
/** Used if the endpoint does not report its limit. */
const FALLBACK_SHARE = 0.5;
/** Token counts are estimates. */
const MARGIN = 0.95;
const MIN_SHARE = 0.02;

export type TextRun<Input, Output> = Pick<
  StepRun<Input, Output>,
  'step' | 'prompt' | 'calls' | 'warn' | 'refused'
>;

export type ReadBlock = (block: string) => CleanBlock;

export interface TextRequest<Input> {
  input: Input;
  cites: 'source' | 'passage';
  maxOutputTokens: number;
  temperature?: number;
  continuations: number;
  readerOf: (input: Input) => ReadBlock;
  /** The input with a share of its material, 0 to 1; null if it cannot be shortened. */
  shortened: (input: Input, share: number) => Input | null;
  materialChars: (input: Input) => number;
  refusable: {
    of: (input: Input) => RefusedSource[];
    without: (input: Input, ids: ReadonlySet<string>) => Input;
  };
}

export interface StreamedText {
  markdown: string;
  /** Null if nothing is wrong with the answer as a whole. */
  why: Pick<FailedStep, 'reason'> | null;
}

/** Drops active content, and text that follows instructions in `texts`. */
export function createBlockCleaner(
  texts: readonly ReadText[],
  idOf: (name: string) => string | undefined,
  form?: CitationForm,
): ReadBlock {
  const checks = { obeyed: createInjectionCheck(texts), repeatsSource: createSourceCopyCheck(texts) };
  const read = texts.flatMap(({ passages }) => passages.map(({ text }) => text));
  const forms = citationRewriter(idOf, form, read);
  return (block) => {
    const clean = cleanMarkdown(block, idOf, form, forms);
    return { ...clean, markdown: removeInjected(clean.markdown, checks) };
  };
}

/**
 * Passes a text on block by block and returns the whole. Repeats a call only to continue, to shorten the prompt, or to
 * leave out rejected sources. Throws the calls' errors.
 */
export async function streamText<Input, Output>(
  asked: TextRun<Input, Output>,
  text: TextRequest<Input>,
  onText: (text: string) => void,
): Promise<StreamedText> {
  const { step, prompt, calls, warn } = asked;
  const { cites, maxOutputTokens, temperature, continuations, readerOf, ...material } = text;
  const input = removeRefusedSources(asked, text);
  const blocks: string[] = [];
  const unknown = new Set<string>();
  const dropped = { any: false };
  let read = readerOf(input);
  const takeBlock = (block: string): void => {
    const clean = read(block);
    for (const name of clean.unknown) unknown.add(name);
    dropped.any ||= clean.hasDropped;
    if (clean.markdown === '') return;
    onText(blocks.length === 0 ? clean.markdown : `\n\n${clean.markdown}`);
    blocks.push(clean.markdown);
  };
  let reader = createBlockReader(takeBlock);
  const startAnew = (): void => {
    blocks.length = 0;
    unknown.clear();
    reader = createBlockReader(takeBlock);
  };

  let question: ModelQuestion = {
    messages: prompt(input),
    schema: null,
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
  };
  let of = input;
  let isCutOff: boolean;
  let why: StreamedText['why'];
  let searched = false;
  let timesShortened = 0;
  /** False if the material cannot be shortened. */
  const shorten = (most = 1): boolean => {
    const excess = calls.excessChars(question);
    const chars = material.materialChars(of);
    const fitting = excess === 0 ? FALLBACK_SHARE : Math.max(MIN_SHARE, (1 - excess / chars) * MARGIN);
    const share = Math.min(most, fitting);
    const less = timesShortened < MAX_SHORTENINGS ? material.shortened(of, share) : null;
    if (less === null) return false;
    timesShortened += 1;
    of = less;
    read = readerOf(of);
    question = { ...question, messages: prompt(of) };
    warn({
      code: 'passages-left-out',
      message: 'There were more passages than a model takes; a text was written from some of them.',
      fallback: { step: step.name, reason: 'too-long', sourceIds: [] },
    });
    return true;
  };
  for (let goneOn = 0; ;) {
    const thinking = new ThinkingFilter();
    let heard = '';
    try {
      while (goneOn === 0 && !calls.fits(question, 'first') && shorten());
      const response = await (goneOn > 0
        ? calls.ask(question)
        : calls.ask(question, (text) => {
            heard += text;
            reader.write(text);
          }));
      if (response.promptIsCut === true && goneOn === 0) {
        if (shorten()) {
          startAnew();
          continue;
        }
        warn(PARTLY_READ_WARNING);
      }
      if (goneOn > 0) reader.write(continuationText(response.text));
      else if (heard === '') reader.write(thinking.push(response.text) + thinking.end());
      else if (hasLateThinking(heard, response.text)) {
        // The text was streamed with its thinking, whose end could not be detected.
        startAnew();
        reader.write(withoutThinking(response.text));
      }
      const isFiltered = response.finishReason === 'content-filter';
      if (isFiltered && blocks.length === 0 && goneOn === 0)
        throw new ModelFailure('content-filter', 'The endpoint’s content filter stopped the answer.', {
          retryable: false,
        });
      why = isFiltered ? { reason: 'filtered' } : unusableReason(response, []);
      isCutOff = isFiltered || response.finishReason === 'length';
      if (response.interrupted === 'repetition')
        warn({
          code: 'answer-repeats',
          message: 'A model repeated itself and was stopped; what was whole of its text is used.',
          fallback: { step: step.name, reason: 'repeated', sourceIds: [] },
        });
      if (!isCutOff || response.interrupted === 'repetition') break;
      if (isFiltered || goneOn === continuations) {
        warn({
          code: 'answer-cut-off',
          message: isFiltered
            ? 'The endpoint’s content filter stopped a text; its whole sentences are used.'
            : 'A text was cut off; its whole sentences are used.',
          fallback: { step: step.name, reason: isFiltered ? 'filtered' : 'cut-off', sourceIds: [] },
        });
        break;
      }
      goneOn += 1;
      question = {
        ...question,
        messages: continuationMessages(question.messages, withoutThinking(response.text)),
      };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'content-filter' && blocks.length === 0) {
        const rest = searched ? null : await removeFilteredSources(asked, { ...text, input: of }, question);
        searched = true;
        if (rest === null) throw error;
        of = rest;
        read = readerOf(of);
        question = { ...question, messages: prompt(of) };
        continue;
      }
      const isTooLong = error instanceof ModelFailure && (error.kind === 'context-length' || error.isTooSlow);
      if (!isTooLong || blocks.length > 0 || !shorten(FALLBACK_SHARE)) throw error;
    }
  }
  reader.end({ cutOff: isCutOff });

  if (unknown.size > 0)
    warn({
      code: `unknown-${cites}`,
      message: `Citations of ${unknown.size} ${cites}s that were not given were dropped.`,
    });
  if (dropped.any)
    warn({
      code: 'markdown-dropped',
      message: 'Images, HTML, code or footnotes of a model’s text were dropped.',
    });
  return { markdown: blocks.join('\n\n'), why };
}

function removeRefusedSources<Input, Output>(
  { step, refused, warn }: TextRun<Input, Output>,
  { input, refusable }: TextRequest<Input>,
): Input {
  const known = refusable.of(input).filter(({ id }) => refused.has(id));
  if (known.length === 0) return input;
  warn(refusedWarning(step.name, known));
  return refusable.without(input, refused);
}

/** Token limit for a test prompt: only the rejection matters. */
const PROBE_TOKENS = 64;

/** Null if the sources are not the cause. */
async function removeFilteredSources<Input, Output>(
  { step, prompt, calls, warn, refused }: TextRun<Input, Output>,
  { input, refusable }: TextRequest<Input>,
  question: ModelQuestion,
): Promise<Input | null> {
  const all = refusable.of(input);
  const isRefused = async (some: readonly RefusedSource[]): Promise<boolean> => {
    const others = new Set(all.filter((one) => !some.includes(one)).map(({ id }) => id));
    const messages = prompt(refusable.without(input, others));
    try {
      const tried = await calls.ask({ ...question, messages, maxOutputTokens: PROBE_TOKENS });
      return tried.finishReason === 'content-filter';
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'content-filter') return true;
      throw error;
    }
  };
  const found = all.length < 2 ? null : await findRefused(all, isRefused);
  if (found === null) return null;
  for (const { id } of found) refused.add(id);
  warn(refusedWarning(step.name, found));
  return refusable.without(input, new Set(found.map(({ id }) => id)));
}

function continuationMessages(messages: ModelQuestion['messages'], text: string): ModelQuestion['messages'] {
  return [
    ...messages,
    { role: 'assistant', content: text },
    {
      role: 'user',
      content:
        'Your text was cut off. Go on exactly where it stops, with no word before that and nothing said again.',
    },
  ];
}

function hasLateThinking(heard: string, text: string): boolean {
  const said = withoutThinking(text).trimEnd();
  return said !== '' && heard.trimEnd().length > said.length && heard.trimEnd().endsWith(said);
}

/** Keeps leading white space of a continuation, which starts a new word. */
function continuationText(text: string): string {
  const visible = withoutThinking(text);
  return text.trimStart() === visible ? text : ` ${visible}`;
}

export interface BlockReader {
  write(text: string): void;
  /** A text that was cut off ends with its last whole sentence. */
  end(options: { cutOff: boolean }): void;
}

/** Longer than any block of prose. Bounds the delay for a text without line breaks. */
const MAX_BLOCK_CHARS = 20_000;

function createBlockReader(onBlock: (block: string) => void): BlockReader {
  let pending = '';
  let block: string[] = [];
  let fence: string | null = null;
  const isWrapping = createFenceWrapper();

  function line(text: string): void {
    if (fence === null && isWrapping(text)) {
      flush();
      return;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) === true) fence = null;
    if (text.trim() !== '' || fence !== null) block.push(text);
    else flush();
    if (block.reduce((sum, part) => sum + part.length, 0) > MAX_BLOCK_CHARS) flush();
  }
  function flush(): void {
    const text = block.join('\n');
    block = [];
    if (text.trim() !== '') onBlock(text);
  }

  return {
    write(text) {
      pending += text;
      if (!text.includes('\n')) return;
      const lines = pending.split('\n');
      pending = lines.pop() ?? '';
      for (const complete of lines) line(complete.replace(/\r$/, ''));
    },
    end({ cutOff }) {
      line(pending);
      pending = '';
      if (cutOff) block = [wholeSentences(block.join('\n'))];
      flush();
    },
  };
}

/** The last stop of a text that was cut off may be a decimal point. */
function wholeSentences(text: string): string {
  const ends = [...text.matchAll(/[.!?]["'”’)\]]*(?=\s)/gu)];
  const last = ends.at(-1);
  return last === undefined ? '' : text.slice(0, last.index + last[0].length);
}

const OPENING = /^ {0,3}(`{3,}|~{3,})\s*(?:markdown|md)\s*$/i;
const CLOSING = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** Models put requested Markdown into a code block marked as Markdown. Takes the lines outside of code in order. */
function createFenceWrapper(): (line: string) => boolean {
  let open: string | null = null;
  return (line) => {
    if (open === null) {
      open = OPENING.exec(line)?.[1] ?? null;
      return open !== null;
    }
    if (CLOSING.exec(line)?.[1]?.startsWith(open) !== true) return false;
    open = null;
    return true;
  };
}
