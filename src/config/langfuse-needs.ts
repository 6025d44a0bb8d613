import { environmentNames, type SettingPath } from './setting-names';

const NEEDED = ['langfuse.baseUrl', 'langfuse.publicKey', 'langfuse.secretKey'] as const;

/** What turns Langfuse on, and what stands for leaving it off. */
const SWITCHES = {
  'prompts.provider': { on: 'langfuse', off: 'code' },
  'telemetry.langfuse': { on: true, off: false },
} as const;

/** What may be set instead of a use of Langfuse that lacks settings, or with it; null where nothing is lacking. */
export function langfuseLack(
  path: keyof typeof SWITCHES,
  value: unknown,
  isGiven: (path: SettingPath) => boolean,
): string | null {
  const { on, off } = SWITCHES[path];
  const missing = NEEDED.filter((needed) => !isGiven(needed));
  if (value !== on || missing.length === 0) return null;
  return `${off}, or ${on} together with ${missing.map((needed) => environmentNames[needed]).join(', ')}`;
}
