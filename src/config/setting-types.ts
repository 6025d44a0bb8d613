import { z } from 'zod';
import { Secret } from '../platform/secret';

export const Text = z.string().trim().min(1);

export const SecretText = Text.transform((value) => new Secret(value));

/** As Standard Webhooks has them. */
export const WebhookSecret = Text.regex(
  /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
  'it is "whsec_" and 24 to 64 bytes in base64',
)
  .describe('whsec_ and 24 to 64 bytes in base64')
  .transform((value) => new Secret(value));

export const HttpUrl = z.url({ protocol: /^https?$/ }).describe('an http or https URL');
