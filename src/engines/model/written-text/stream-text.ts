import type { AskedStep } from '../asked-step';
import { createBlockReader } from '../markdown/block-reader';
import type { CitationForm } from '../markdown/citation-tokens';
import { citationForms, type CleanBlock, cleanMarkdown } from '../markdown/clean-markdown';
import { ModelFailure } from '../port/model-failure';
import { ThinkingFilter, withoutThinking } from '../port/thinking';
import type { Question } from '../step-calls';
import { createObeyed, createRepeated, type ReadText, withoutObeyed } from './obeyed';

/** How often the material is halved where the endpoint finds the prompt too long. */
const HALVINGS = 3;

export type AskedText<Input, Output> = Pick<AskedStep<Input, Output>, 'step' | 'prompt' | 'calls' | 'warn'>;

export type ReadBlock = (block: string) => CleanBlock;

export interface TextToStream<Input> {
  input: Input;
  /** What its citations name. */
  cites: 'source' | 'passage';
  maxOutputTokens: number;
  temperature?: number;
  /** How often a text that is cut off goes on. */
  continuations: number;
  /** How the blocks of an answer to the prompt of this input are read. */
  readerOf: (input: Input) => ReadBlock;
  /** The input with half of its material; null where it cannot be halved. */
  halfOf: (input: Input) => Input | null;
}

/** Reads a block of a model's Markdown: what is active in it and what follows orders in `texts` is dropped. */
export function createBlockCleaner(
  texts: readonly ReadText[],
  idOf: (name: string) => string | undefined,
  form?: CitationForm,
): ReadBlock {
  const checks = { obeyed: createObeyed(texts), repeatsSource: createRepeated(texts) };
  const read = texts.flatMap(({ passages }) => passages.map(({ text }) => text));
  const forms = citationForms(idOf, form, read);
  return (block) => {
    const clean = cleanMarkdown(block, idOf, form, forms);
    return { ...clean, markdown: withoutObeyed(clean.markdown, checks) };
  };
}

/**
 * Has a text written and passes it on block by block as it comes; returns the whole. Nothing is asked again but a text that was
 * cut off, and a prompt that was too long, with half of its material. Throws what the calls throw.
 */
export async function streamText<Input, Output>(
  { prompt, calls, warn }: AskedText<Input, Output>,
  { input, cites, maxOutputTokens, temperature, continuations, readerOf, halfOf }: TextToStream<Input>,
  onText: (text: string) => void,
): Promise<string> {
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

  let question: Question = {
    messages: prompt(input),
    schema: null,
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
  };
  let of = input;
  let isCutOff: boolean;
  for (let halved = 0, goneOn = 0; ;) {
    const thinking = new ThinkingFilter();
    let heard = '';
    try {
      if (!calls.fits(question, 'first') && halved < HALVINGS && goneOn === 0 && halfOf(of) !== null)
        throw new ModelFailure('context-length', 'The prompt does not fit.', { retryable: false });
      const response = await (goneOn > 0
        ? calls.ask(question)
        : calls.ask(question, (text) => {
            heard += text;
            reader.write(text);
          }));
      if (goneOn > 0) reader.write(continuation(response.text));
      else if (heard === '') reader.write(thinking.push(response.text) + thinking.end());
      else if (beganAloud(heard, response.text)) {
        // The text was read with thinking before it, whose end nobody could foresee.
        blocks.length = 0;
        unknown.clear();
        reader = createBlockReader(takeBlock);
        reader.write(withoutThinking(response.text));
      }
      const isFiltered = response.finishReason === 'content-filter';
      isCutOff = isFiltered || response.finishReason === 'length';
      if (!isCutOff || response.interrupted === 'repetition') break;
      if (isFiltered || goneOn === continuations) {
        warn({ code: 'answer-cut-off', message: 'A text was cut off; its whole sentences are used.' });
        break;
      }
      goneOn += 1;
      question = { ...question, messages: goOn(question.messages, withoutThinking(response.text)) };
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && (error.kind === 'context-length' || error.isTooSlow);
      const half = isTooLong && halved < HALVINGS && blocks.length === 0 ? halfOf(of) : null;
      if (half === null) throw error;
      halved += 1;
      of = half;
      read = readerOf(of);
      question = { ...question, messages: prompt(of) };
      warn({
        code: 'passages-left-out',
        message: 'There were more passages than a model takes; a text was written from some of them.',
      });
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
  return blocks.join('\n\n');
}

function goOn(messages: Question['messages'], text: string): Question['messages'] {
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

/** True where what was heard has thinking before the text, which only its end mark tells. */
function beganAloud(heard: string, text: string): boolean {
  const said = withoutThinking(text).trimEnd();
  return said !== '' && heard.trimEnd().length > said.length && heard.trimEnd().endsWith(said);
}

/** The text of a continuation. White space before it tells that a new word begins. */
function continuation(text: string): string {
  const visible = withoutThinking(text);
  return text.trimStart() === visible ? text : ` ${visible}`;
}
