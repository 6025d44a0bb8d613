import { z } from 'zod';
import { Secret } from '../platform/secret';

export const Text = z.string().trim().min(1);

export const SecretText = Text.transform((value) => new Secret(value));

export const HttpUrl = z.url({ protocol: /^https?$/ }).describe('an http or https URL');
