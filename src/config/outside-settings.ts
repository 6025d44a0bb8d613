import { z } from 'zod';
import { Secret } from '../platform/secret';
import { HttpUrl, SecretText, Text } from './setting-types';

const PromptProvider = z.enum(['code', 'langfuse']);

/** As the OpenTelemetry specification has it; a value may be percent-encoded. */
const HeaderList = z
  .string()
  .trim()
  .regex(/^[^\s=,]+=[^,]*(,\s*[^\s=,]+=[^,]*)*,?$/)
  .transform((value) => new Secret(value))
  .describe('name=value pairs with commas between them');

export const PromptSettings = z.object({
  /** Default `code`. Whose prompts a run's models are given: the program's own, or Langfuse's with those behind them. */
  provider: PromptProvider.default('code'),
  /** Default `production`. The label whose version of each prompt is taken (document 001: the environment). */
  label: Text.default('production'),
  /** Default none: the version that the label names, as for a step whose version is null. By step. */
  versions: z
    .record(Text, z.int().positive().nullable())
    .describe('for each step a version, a whole number of at least 1, or null')
    .default({}),
  /** Default: the step's own name; of an answer also document 001's, `synthesis`. What Langfuse calls a step's prompt. */
  names: z.record(Text, Text).describe('for each step the name of its prompt').default({}),
  /** Default 60,000. How long a prompt that was fetched counts as the newest, in milliseconds. */
  cacheTtlMs: z.int().min(0).max(86_400_000).default(60_000),
  /** Default 2,000. The longest that the start of a run waits for prompts, in milliseconds. */
  timeoutMs: z.int().min(100).max(60_000).default(2_000),
});

export const LangfuseSettings = z.object({
  /** Default none. Where Langfuse is. */
  baseUrl: HttpUrl.nullable().default(null),
  /** Default none. From the environment only. */
  publicKey: SecretText.nullable().default(null),
  /** Default none. From the environment only. */
  secretKey: SecretText.nullable().default(null),
});

export const TelemetrySettings = z.object({
  /** Default none: no traces. Where an OpenTelemetry collector takes OTLP over HTTP; `/v1/traces` is added. */
  endpoint: HttpUrl.nullable().default(null),
  /** Default none. Sent to the collector with each export. From the environment only. */
  headers: HeaderList.nullable().default(null),
  /** Default false. Whether Langfuse gets traces too. */
  langfuse: z.boolean().default(false),
  /** Default false. Whether traces have what models are asked and answer, and what steps are given and make. */
  content: z.boolean().default(false),
});
