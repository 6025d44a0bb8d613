import { groupedDigits } from './grouped-digits';

const TOLD_CHARS = 80;

/** DEL, C1 controls, and what nobody sees: `JSON.stringify` leaves them raw, and terminals obey some. */
const INVISIBLE =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** JSON with every character that nobody sees, or that a terminal obeys, as its number; it says the same. */
export function visibleJson(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_unit, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * A value as a message tells it: on one line, as it was given, and cut where it is long, with its length. Numbers that JSON has no
 * form for, such as `Infinity`, are told by their names.
 */
export function toldValue(value: unknown, maxChars: number = TOLD_CHARS): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return toldText(value, maxChars);
  const json = jsonOf(value);
  return json.length > maxChars ? `${visibleJson(json.slice(0, maxChars))}…` : visibleJson(json);
}

function toldText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return visibleJson(JSON.stringify(text));
  return `${visibleJson(JSON.stringify(`${text.slice(0, maxChars)}…`))} (${groupedDigits(text.length)} characters)`;
}

function jsonOf(value: unknown): string {
  try {
    const json = JSON.stringify(value, (_key, within: unknown) =>
      typeof within === 'bigint' || (typeof within === 'number' && !Number.isFinite(within))
        ? String(within)
        : within,
    ) as string | undefined; // undefined and functions have no form
    return json ?? typeof value;
  } catch {
    return 'an object that JSON has no form for'; // such as one that contains itself
  }
}
