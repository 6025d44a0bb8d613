import { nearestName } from '../core/values/nearest-name';

/** A key of a record that says nothing to Colligate. */
export interface UnknownKey {
  key: string;
  /** The known key that was probably meant; null where none is close, or the record has it. */
  nearest: string | null;
}

/** A key of a stranger's is shown no longer than this. */
const MAX_KEY_CHARS = 60;
/** Of one record so many are told. */
const MAX_KEYS = 20;

/** `free` are the known keys that the record has not got. */
export function unknownKeys(keys: readonly string[], free: readonly string[]): UnknownKey[] {
  return keys.slice(0, MAX_KEYS).map((given) => {
    const key = given.slice(0, MAX_KEY_CHARS);
    return { key, nearest: nearestName(key, free) };
  });
}
