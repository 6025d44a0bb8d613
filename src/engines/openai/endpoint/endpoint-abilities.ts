import complaints from './data/complaints.json';
import type { Complaint } from './endpoint-complaint';
import { isUnexplained } from './endpoint-complaint-kind';
import { isTooLong } from './endpoint-context-window';

export interface Abilities {
  /** The older name first: servers that do not know the newer one leave the length unlimited without a word. */
  maxTokens: 'max_tokens' | 'max_completion_tokens';
  temperature: boolean;
  stream: boolean;
  /** Whether a stream can be asked to end with its usage. */
  streamUsage: boolean;
  strictSchema: boolean;
}

export const ALL_ABILITIES: Abilities = {
  maxTokens: 'max_tokens',
  temperature: true,
  stream: true,
  streamUsage: true,
  strictSchema: true,
};

export interface SentParameters {
  streams: boolean;
  hasSchema: boolean;
}

const REFUSAL = new RegExp(complaints.refusedParameter.join('|'));

/** A value that is refused, and not the parameter. */
const BAD_LENGTH = /too large|at most|less than|greater than|exceeds|maximum value/;

const REFUSED_TEMPERATURE = /must be|should be|cannot be|only the default|only .{0,40}(?:allowed|supported)/;

const STREAMING = /\bstream(?:ed|ing|s)?\b/;

const STRICTNESS =
  /\bstrict\b|additionalproperties|'required' is required|required.{0,40}every key|is not permitted/;

/**
 * What to ask with after such a complaint; null where it is not about a parameter that can be left out. `certain`:
 * the complaint names the parameter, so that it is worth remembering.
 */
export function withoutRefused(
  abilities: Abilities,
  complaint: Complaint,
  sent: SentParameters,
): { abilities: Abilities; certain: boolean } | null {
  const { status, words } = complaint;
  if (status !== null && status !== 400 && status !== 422) return null;
  const names = (parameter: string): boolean => complaint.param === parameter || words.includes(parameter);
  if (sent.streams && abilities.streamUsage && (names('stream_options') || names('include_usage'))) {
    return { abilities: { ...abilities, streamUsage: false }, certain: true };
  }
  if (isTooLong(complaint)) return null;
  const refused = REFUSAL.test(words);
  if (sent.streams && refused && (complaint.param === 'stream' || STREAMING.test(words))) {
    return { abilities: { ...abilities, stream: false }, certain: true };
  }
  if (refused && names(abilities.maxTokens) && !BAD_LENGTH.test(words)) {
    const maxTokens = abilities.maxTokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    return { abilities: { ...abilities, maxTokens }, certain: true };
  }
  if (abilities.temperature && names('temperature') && (refused || REFUSED_TEMPERATURE.test(words))) {
    return { abilities: { ...abilities, temperature: false }, certain: true };
  }
  if (sent.hasSchema && abilities.strictSchema && STRICTNESS.test(words)) {
    return { abilities: { ...abilities, strictSchema: false }, certain: true };
  }
  if (sent.streams && abilities.streamUsage && status !== null && isUnexplained(complaint)) {
    return { abilities: { ...abilities, streamUsage: false }, certain: false };
  }
  if (sent.streams && abilities.stream && status !== null && isUnexplained(complaint)) {
    return { abilities: { ...abilities, stream: false }, certain: false };
  }
  return null;
}
