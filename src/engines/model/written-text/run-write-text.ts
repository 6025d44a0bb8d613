import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import { citedIds } from '../../../core/text/citation-marks';
import { sourceShortIds } from '../../../steps/material/short-ids';
import type { WriteTextInput, WriteTextOutput } from '../../../steps/write-text/write-text';
import { StepFailedError } from '../../step-failed-error';
import type { AskedStep } from '../asked-step';
import { createBlockReader } from '../markdown/block-reader';
import { cleanMarkdown } from '../markdown/clean-markdown';
import { ModelFailure } from '../port/model-failure';
import { ThinkingFilter, withoutThinking } from '../port/thinking';
import type { Question } from '../step-calls';
import { createObeyed, createRepeated, withoutObeyed } from './obeyed';

/** How often a text that is cut off goes on. */
const CONTINUATIONS = 2;
/** How often the passages are halved where the endpoint finds the prompt too long. */
const HALVINGS = 3;

type Asked = Pick<AskedStep<WriteTextInput, WriteTextOutput>, 'step' | 'prompt' | 'calls' | 'warn'>;

/** Writes a text and passes it on block by block as it comes. Nothing is asked again but a text that was cut off. */
export async function runWriteText(
  asked: Asked,
  input: WriteTextInput,
  onText: (text: string) => void,
): Promise<WriteTextOutput> {
  const { step, prompt, calls, warn } = asked;
  const ids = sourceShortIds(input.sources);
  const checks = { obeyed: createObeyed(input.sources), repeatsSource: createRepeated(input.sources) };
  const blocks: string[] = [];
  const unknown = new Set<string>();
  const dropped = { any: false };
  const reader = createBlockReader((block) => {
    const clean = cleanMarkdown(block, (name) => ids.idOf(name));
    for (const name of clean.unknown) unknown.add(name);
    dropped.any ||= clean.hasDropped;
    const text = withoutObeyed(clean.markdown, checks);
    if (text === '') return;
    onText(blocks.length === 0 ? text : `\n\n${text}`);
    blocks.push(text);
  });

  let question: Question = {
    messages: prompt(input),
    schema: null,
    maxOutputTokens: writingTokens(input.targetWords * WORDS_BESIDE, MAX_OUTPUT_TOKENS.writeText),
  };
  let of = input;
  let isCutOff: boolean;
  for (let halved = 0, goneOn = 0; ;) {
    const thinking = new ThinkingFilter();
    const streamed = { any: false };
    try {
      if (!calls.fits(question, 'first') && halved < HALVINGS && goneOn === 0)
        throw new ModelFailure('context-length', 'The prompt does not fit.', { retryable: false });
      const response = await (goneOn > 0
        ? calls.ask(question)
        : calls.ask(question, (text) => {
            streamed.any = true;
            reader.write(text);
          }));
      if (goneOn > 0) reader.write(continuation(response.text));
      else if (!streamed.any) reader.write(thinking.push(response.text) + thinking.end());
      isCutOff = response.finishReason === 'length';
      if (!isCutOff || response.interrupted === 'repetition') break;
      if (goneOn === CONTINUATIONS) {
        warn({ code: 'answer-cut-off', message: 'A text was cut off; its whole sentences are used.' });
        break;
      }
      goneOn += 1;
      question = { ...question, messages: goOn(question.messages, withoutThinking(response.text)) };
    } catch (error) {
      const isTooLong = error instanceof ModelFailure && (error.kind === 'context-length' || error.isTooSlow);
      if (!isTooLong || halved >= HALVINGS || blocks.length > 0) throw error;
      halved += 1;
      of = withHalfOfPassages(of);
      question = { ...question, messages: prompt(of) };
    }
  }
  reader.end({ cutOff: isCutOff });

  const markdown = blocks.join('\n\n');
  if (input.sources.length > 0 && citedIds(markdown).length === 0)
    throw new StepFailedError(step.name, [{ path: 'the text', message: 'it cites none of the sources' }]);
  if (unknown.size > 0)
    warn({
      code: 'unknown-source',
      message: `Citations of ${unknown.size} sources that were not given were dropped.`,
    });
  if (dropped.any)
    warn({
      code: 'markdown-dropped',
      message: 'Images, HTML, code or footnotes of a model’s text were dropped.',
    });
  return { markdown };
}

/** A text with citations and tables has more tokens than its words. */
const WORDS_BESIDE = 1.6;

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

/** With the white space before it, which tells whether the last word goes on. */
function continuation(text: string): string {
  const visible = withoutThinking(text);
  return text.trimStart() === visible ? text : ` ${visible}`;
}

/** Each source with the first half of its passages. */
function withHalfOfPassages(input: WriteTextInput): WriteTextInput {
  return {
    ...input,
    sources: input.sources.map((source) => ({
      ...source,
      passages: source.passages.slice(0, Math.ceil(source.passages.length / 2)),
    })),
  };
}
