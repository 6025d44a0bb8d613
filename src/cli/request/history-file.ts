import { z } from 'zod';
import { AnswerMessage } from '../../contracts/answer/message';
import { givenJson } from '../../core/values/given-json';
import { fileProblem, givenText } from './given-text';

const FORM =
  '{ "role": "human" or "ai", "content": "…" } each, in a list (.json) or one a line (.jsonl), the oldest first';

/** The turns of a file; what is wrong is added to `problems`. */
export async function historyOf(file: string | undefined, problems: string[]): Promise<AnswerMessage[]> {
  if (file === undefined) return [];
  const given = await givenText('--history', file);
  if ('problem' in given) {
    problems.push(given.problem);
    return [];
  }
  const turns: AnswerMessage[] = [];
  // A list as a whole, or a turn a line.
  const texts = /\.jsonl$/i.test(file) ? given.text.split('\n') : [given.text];
  for (const [at, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const line = texts.length > 1 ? { line: at + 1 } : {};
    const json = givenJson(text);
    const read = json.ok ? Turns.safeParse(Array.isArray(json.value) ? json.value : [json.value]) : null;
    if (read?.success === true) {
      for (const turn of read.data) turns.push(turn);
      continue;
    }
    const message = json.ok ? `it holds no turns of a conversation: ${FORM}` : json.message;
    problems.push(fileProblem(`--history ${file}`, { ...line, message }));
    return [];
  }
  return turns;
}

const Turns = z.array(AnswerMessage);
