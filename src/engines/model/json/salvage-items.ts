import { jsonrepair } from 'jsonrepair';
import { withoutThinking } from '../port/thinking';

/**
 * What is whole of a JSON answer that was cut off: everything up to the end of the last complete object. No text in it is
 * cut. Null where there is none.
 */
export function completeItems(answer: string): unknown {
  const text = withoutThinking(answer);
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end <= start) return null;
  try {
    return JSON.parse(jsonrepair(text.slice(start, end + 1)));
  } catch {
    return null; // the caller says what it means that there is nothing
  }
}
