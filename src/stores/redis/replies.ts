import { z } from 'zod';

/** A text of Redis as its bytes. */
export const bytes = z.custom<Buffer>((value) => Buffer.isBuffer(value), 'bytes');
