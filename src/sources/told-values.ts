import { stripUnsafe } from '../core/text/untrusted-text';

/** A value as problems quote it: on one line, and no longer than tells which is meant. */
export function quotedValue(value: string): string {
  const plain = stripUnsafe(value).replace(/\s+/g, ' ');
  return JSON.stringify(plain.length > 60 ? `${plain.slice(0, 60)}…` : plain);
}

/** What kind of value something is, as problems call it: `a list`, `an object`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'boolean'
      ? 'true or false'
      : `a ${typeof value}`;
}
