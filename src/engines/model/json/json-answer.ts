import { jsonrepair } from 'jsonrepair';
import { parsedJson } from '../../../core/values/parsed-json';
import { jsonSpans, type JsonSpan } from './json-spans';
import type { FinishReason } from '../port/model-client';
import { withoutThinking } from '../port/thinking';

/** An answer that was to be JSON and is not. The message has nothing of the answer in it. */
export class AnswerNotJsonError extends Error {
  override readonly name = 'AnswerNotJsonError';
}

/** A repair takes more than the length's time. */
const MAX_REPAIRED_CHARS = 2_000_000;

/**
 * The object or array in an answer: the whole text, else, without thinking, fences and prose, the last object that
 * parses; a broken one that is longer is repaired and taken instead. Arrays count where there are no objects, because
 * citations look like them. An answer that was cut off is not repaired: that would close what was never finished.
 */
export function jsonFromAnswer(text: string, finishReason: FinishReason): unknown {
  const plain = text.replace(/^\ufeff/, '');
  const whole = structureIn(plain);
  if (whole !== null) return whole;
  const answer = withoutThinking(plain);
  if (answer.trim() === '') throw new AnswerNotJsonError('The answer is empty.');
  const spans = jsonSpans(answer);
  if (finishReason === 'length' && spans.at(-1)?.closed !== true) {
    throw new AnswerNotJsonError('The answer was cut off before its JSON was complete.');
  }
  const repairs = finishReason !== 'length';
  const found =
    bestOf(
      spans.filter(({ text: span }) => span.startsWith('{')),
      repairs,
    ) ??
    bestOf(
      spans.filter(({ text: span }) => span.startsWith('[')),
      repairs,
    );
  if (found === null) throw new AnswerNotJsonError('There is no JSON in the answer.');
  return found;
}

function bestOf(spans: readonly JsonSpan[], repairs: boolean): object | null {
  let best: { value: object; chars: number } | null = null;
  const broken: JsonSpan[] = [];
  for (const span of spans) {
    const value = span.closed ? structureIn(span.text) : null;
    if (value === null) broken.push(span);
    else best = { value, chars: span.text.length };
  }
  for (const span of repairs ? broken.reverse() : []) {
    if (best !== null && span.text.length <= best.chars) continue;
    const value = repaired(span.text);
    if (value !== null) return value;
  }
  return best?.value ?? null;
}

/** The object or array that a text is, also where it is inside of a JSON string; else null. */
function structureIn(text: string): object | null {
  const value = parsedJson(text);
  const inner = typeof value === 'string' ? parsedJson(value) : value;
  return typeof inner === 'object' ? inner : null;
}

function repaired(text: string): object | null {
  if (text.length > MAX_REPAIRED_CHARS) return null;
  try {
    return structureIn(jsonrepair(text));
  } catch {
    // It throws where it finds nothing to repair, and overflows the stack on a thousand brackets: no JSON either way.
    return null;
  }
}
