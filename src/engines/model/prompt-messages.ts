import type { Step } from '../../steps/step';
import { renderTemplate, type StepTemplate } from '../../steps/template';
import type { AnswerProblem } from './answers/reading';
import { withoutThinking } from './port/thinking';
import type { ModelMessage } from './port/model-client';
import { createHmac } from 'node:crypto';

export type PromptOf<Input> = (input: Input) => ModelMessage[];

export function promptOf<Input, Output>(
  step: Step<Input, Output>,
  template: StepTemplate,
  secret: string,
): PromptOf<Input> {
  return (input) => {
    const values = step.variables(input, promptMark(secret, questionOf(input)));
    const { system, user } = renderTemplate(step.name, template, values);
    return [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
  };
}

/** Every step's input has the run's question. */
function questionOf(input: unknown): string {
  const { question } = input as { question?: unknown };
  return typeof question === 'string' ? question : '';
}

const MAX_DIAGNOSTICS = 25;
const MAX_DIAGNOSTIC_CHARS = 300;

/** The question, the answer, and what is wrong with it. `request` says what is wanted now. */
export function repairMessages(
  question: readonly ModelMessage[],
  answer: string,
  problems: readonly AnswerProblem[],
  request: string,
): ModelMessage[] {
  return [
    ...question,
    { role: 'assistant', content: withoutThinking(answer) },
    { role: 'user', content: `Your answer has these problems:\n${diagnostics(problems)}\n\n${request}` },
  ];
}

/** The question once more, with what was wrong with an earlier answer: the same words would get the same answer. */
export function askedAnew(
  question: readonly ModelMessage[],
  problems: readonly Pick<AnswerProblem, 'path' | 'message'>[],
): ModelMessage[] {
  const last = question.length - 1;
  const note = `An earlier answer to this could not be used:\n${diagnostics(problems)}\nAnswer without these problems.`;
  return question.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${note}` } : message,
  );
}

function diagnostics(problems: readonly Pick<AnswerProblem, 'path' | 'message'>[]): string {
  const lines = problems.slice(0, MAX_DIAGNOSTICS).map(({ path, message }) => {
    const line = `- ${path}: ${message}`;
    return line.length > MAX_DIAGNOSTIC_CHARS ? `${line.slice(0, MAX_DIAGNOSTIC_CHARS)}…` : line;
  });
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more of these kinds`);
  return lines.join('\n');
}

/**
 * The mark that delimits what others wrote, one for all that is asked for a question: nobody can guess it who does not know
 * the secret, the same question over the same sources is paid for once, and prompts over the same sources begin alike.
 */
export function promptMark(secret: string, question: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['mark', question]))
    .digest('hex')
    .slice(0, 16);
}
