import { isRecord } from '../../../core/values/is-record';
import { parsedJson } from '../../../core/values/parsed-json';
import {
  choiceIn,
  finishReasonIn,
  malformed,
  refuseError,
  textIn,
  usageIn,
  type Answer,
} from './answer-parts';

/** The answer in a body that came at once. */
export function answerInBody(body: string): Answer {
  const parsed = parsedJson(body.replace(/^\ufeff/, ''));
  if (parsed === undefined)
    throw malformed(body.trim() === '' ? 'its body is empty' : 'its body is not JSON');
  if (!isRecord(parsed)) throw malformed('its body is no JSON object');
  refuseError(parsed);
  const choice = choiceIn(parsed);
  if (choice === null) throw malformed('there is no choice in its body');
  const finishReason = finishReasonIn(choice) ?? 'other';
  const usage = usageIn(parsed);
  const { message } = choice;
  if (!isRecord(message)) {
    if (typeof choice['text'] !== 'string') throw malformed('there is no message in its body');
    return { text: choice['text'], finishReason, usage };
  }
  const text = textIn(message['content']);
  const { refusal } = message;
  // The model itself refused; its reason is the only text there is.
  if (text === '' && typeof refusal === 'string' && refusal !== '') {
    return { text: refusal, finishReason: 'content-filter', usage };
  }
  return { text, finishReason, usage };
}
