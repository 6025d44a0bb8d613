import { stripUnsafe } from '../text/untrusted-text';

/** A quote is what its source has, character by character. */
const VERBATIM = 'quote';

/** The value with nothing in its texts that nobody sees or a terminal obeys; quotes stay as they are. */
export function visibleStrings<Value>(value: Value): Value {
  // The same shape comes back: texts become texts.
  return visible(value) as Value;
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return stripUnsafe(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === VERBATIM ? part : visible(part)]),
  );
}
