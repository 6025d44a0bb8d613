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
  /** False: the system message stands at the head of the user's. */
  system: boolean;
  /** The most tokens of an answer that the model takes; null where it has not said. */
  maxOutput: number | null;
  /** How many times the tokens asked for, so that a model that thinks has room for it. */
  room: number;
  /** Whether a model with more room may be asked to think less. */
  effort: boolean;
}

export const ALL_ABILITIES: Abilities = {
  maxTokens: 'max_tokens',
  temperature: true,
  stream: true,
  streamUsage: true,
  strictSchema: true,
  system: true,
  maxOutput: null,
  room: 1,
  effort: true,
};

export interface SentParameters {
  streams: boolean;
  hasSchema: boolean;
  hasSystem: boolean;
  /** In tokens. */
  maxOutput: number;
}

const REFUSAL = new RegExp(complaints.refusedParameter.join('|'));

/** A value that is refused, and not the parameter. */
const BAD_LENGTH = /too large|at most|less than|greater than|exceeds|maximum value/;

const REFUSED_TEMPERATURE = /must be|should be|cannot be|only the default|only .{0,40}(?:allowed|supported)/;

const STREAMING = /\bstream(?:ed|ing|s)?\b/;

const STRICTNESS =
  /\bstrict\b|additionalproperties|'required' is required|required.{0,40}every key|is not permitted/;

const SYSTEM =
  /\b(?:system|developer) (?:role|message|prompt|instruction)s?\b|\brole[ "'`:]{1,4}system\b|user and assistant roles/;
/** `Developer instruction is not enabled`, `System role not supported`, `Only user and assistant roles are supported`. */
const REFUSED_ROLE = /not (?:enabled|supported|allowed)|unsupported|only user and assistant roles/;

/** How models say how long an answer may be at most: `supports at most 4096 completion tokens`, `is limited to 8192`. */
const OUTPUT_LIMITS = complaints.outputLimit.map((pattern) => new RegExp(pattern));
/** A limit below this leaves no room for an answer. */
const LEAST_OUTPUT = 64;

/** The limit of an answer's tokens that a complaint names, where it is below what was asked for. */
function outputLimitIn({ words }: Complaint, asked: number): number | null {
  for (const pattern of OUTPUT_LIMITS) {
    const limit = Number(pattern.exec(words)?.[1]?.replace(/[,_]/g, ''));
    if (Number.isSafeInteger(limit) && limit >= LEAST_OUTPUT && limit < asked) return limit;
  }
  return null;
}

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
  const maxOutput = outputLimitIn(complaint, sent.maxOutput);
  if (maxOutput !== null) return { abilities: { ...abilities, maxOutput }, certain: true };
  if (isTooLong(complaint)) return null;
  if (sent.hasSystem && abilities.system && SYSTEM.test(words) && REFUSED_ROLE.test(words)) {
    return { abilities: { ...abilities, system: false }, certain: true };
  }
  if (abilities.room > 1 && abilities.effort && names('reasoning_effort')) {
    return { abilities: { ...abilities, effort: false }, certain: true };
  }
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
