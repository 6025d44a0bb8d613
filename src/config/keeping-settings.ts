import { z } from 'zod';
import { SecretText, Text } from './setting-types';

export const EncryptionSettings = z.object({
  /** Default none: payloads stand in histories as they are. `id:key` pairs with commas between them, each key 32 bytes in base64; the first encrypts, all decrypt. Those of the key file where that alone is given. From the environment only. */
  keys: SecretText.nullable().default(null),
  /** Default none. A file that holds such pairs, one a line, and remarks behind `#`; `keys` wins where both are given. */
  keyFile: Text.nullable().default(null),
});

export const RetentionSettings = z.object({
  /** Default: for ever. How long after its end a run is kept, in milliseconds; workers with the role `runs` delete what ended before. Temporal's own retention of histories is another. */
  keepMs: z.int().min(60_000).max(315_360_000_000).nullable().default(null),
});
