import { z } from 'zod';
import { Text } from './setting-types';

/** As pages say whence they ask, without a path. */
const Origin = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^https?:\/\/(?:[^\s:/@?#[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/)
  .describe('such as https://colligate.example');

export const HttpSettings = z.object({
  /** Default 127.0.0.1. The address that `serve` listens on. Where others reach it, each request needs a token. */
  host: Text.default('127.0.0.1'),
  /** Default 8787. Its port. */
  port: z.int().min(0).max(65_535).default(8_787),
  /** Default none. By which addresses the face is asked besides its own, such as that of the proxy before it; requests that name another are refused. */
  origins: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',').map((origin) => origin.trim()) : given),
      z.array(Origin),
    )
    .describe('addresses such as https://colligate.example, with commas between them')
    .default([]),
  /** Default 268,435,456. How many bytes the files that are uploaded with a request may have together. */
  maxUploadBytes: z.int().min(1_024).max(100_000_000_000).default(268_435_456),
  /** Default 100. How many runs of one owner may be running when one more is started; a start above it is answered with 429. */
  maxRunsPerOwner: z.int().min(1).max(100_000).default(100),
});
