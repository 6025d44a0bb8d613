import { nearestName } from '../core/values/nearest-name';

export interface UnknownKey {
  key: string;
  /** The known key that was probably meant; null where none is close, or the record has it. */
  nearest: string | null;
}

const MAX_KEY_CHARS = 60;
const MAX_KEYS = 20;

/** `free` are the known keys that the record has not got. */
export function unknownKeys(keys: readonly string[], free: readonly string[]): UnknownKey[] {
  return keys.slice(0, MAX_KEYS).map((given) => {
    const key = given.slice(0, MAX_KEY_CHARS);
    return { key, nearest: nearestName(key, free) };
  });
}
