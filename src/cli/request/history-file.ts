import { z } from 'zod';
import { AnswerMessage } from '../../contracts/answer/message';
import { givenText } from './given-text';
import { jsonValues } from './given-json';

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
  try {
    return z.array(AnswerMessage).parse(jsonValues(file, given.text));
  } catch {
    problems.push(`--history ${file}: it holds no turns of a conversation: ${FORM}.`);
    return [];
  }
}
