import { anyOf, isTooLong, kindOf, namesSchema, type Complaint } from './complaints';
import phrases from './data/phrases.json';

/** How a model is asked, learned from its endpoint's refusals. Kept in the memory of the process. */
export interface Differences {
  /** The older name first: servers that do not know the newer one leave the length unlimited without a word. */
  maxTokens: 'max_tokens' | 'max_completion_tokens';
  /** The most output tokens that the model takes; null where it has not said. */
  maxOutput: number | null;
  /** `asked`: that of the request. A number: the only one that the model takes. */
  temperature: 'asked' | 'none' | number;
  stream: boolean;
  /** True if a stream is asked to end with its usage. */
  streamUsage: boolean;
  strictSchema: boolean;
  /** False: the system message stands at the head of the user's. */
  system: boolean;
  /** `low` once a model thought until its tokens were gone. */
  effort: 'default' | 'low' | 'refused';
}

export const NO_DIFFERENCES: Differences = {
  maxTokens: 'max_tokens',
  maxOutput: null,
  temperature: 'asked',
  stream: true,
  streamUsage: true,
  strictSchema: true,
  system: true,
  effort: 'default',
};

/** What was sent besides the model and its messages. */
export interface Sent {
  hasFormat: boolean;
  hasSchema: boolean;
  hasSystem: boolean;
  maxOutput: number;
}

/** A request in the form of `differences`, and the experiments that are left for it. */
export interface Attempt {
  differences: Differences;
  /** Without the experiment under way. */
  sure: Differences;
  /** The refusal before the experiment under way. */
  refusal: string;
  left: readonly Experiment[];
}

interface Experiment {
  change: Partial<Differences>;
  applies: (differences: Differences, sent: Sent) => boolean;
}

/** What endpoints refuse most, the likeliest first; tried one by one where a refusal says nothing that is known. */
export const EXPERIMENTS: readonly Experiment[] = [
  { change: { streamUsage: false }, applies: ({ stream, streamUsage }) => stream && streamUsage },
  { change: { effort: 'refused' }, applies: ({ effort }) => effort === 'low' },
  {
    change: { strictSchema: false },
    applies: ({ strictSchema }, { hasSchema }) => hasSchema && strictSchema,
  },
  { change: { temperature: 'none' }, applies: ({ temperature }) => temperature === 'asked' },
  { change: { system: false }, applies: ({ system }, { hasSystem }) => hasSystem && system },
  { change: { maxTokens: 'max_completion_tokens' }, applies: ({ maxTokens }) => maxTokens === 'max_tokens' },
  { change: { stream: false }, applies: ({ stream }) => stream },
];

/** Statuses about the key, the load or the time, and never about a parameter. */
const OF_NO_PARAMETER = [401, 402, 403, 408, 409, 425, 429, 502, 503, 504, 524, 529];

/** The next attempt after a refusal; null where nothing is left to change. */
export function afterRefusal(attempt: Attempt, complaint: Complaint, sent: Sent): Attempt | null {
  const { status, words } = complaint;
  if (status !== null && OF_NO_PARAMETER.includes(status)) return null;
  const named = namedRefusal(attempt.differences, complaint, sent);
  // Numbers and ids change from one refusal to the next.
  const refusal = words.replace(/\S*\d\S*/g, '#');
  if (named !== null) {
    const differences = { ...attempt.differences, ...named };
    return { ...attempt, differences, sure: differences, refusal };
  }
  const isOpen = (status === 400 || status === 422) && kindOf(complaint, null) === 'bad-request';
  if (!isOpen || (sent.hasFormat && namesSchema(complaint))) return null;
  // The same refusal as without the experiment: it was something else.
  const sure = refusal === attempt.refusal ? attempt.sure : attempt.differences;
  const [next, ...left] = attempt.left.filter(({ applies }) => applies(sure, sent));
  return next === undefined ? null : { differences: { ...sure, ...next.change }, sure, refusal, left };
}

const REFUSED = anyOf(phrases.refused);

const OUTPUT_TOKENS = anyOf(phrases.outputTokens);
/** The value is refused, and not the parameter. */
const BAD_VALUE = anyOf(phrases.badValue);
/** A limit below this leaves no room for an answer. */
const LEAST_OUTPUT = 64;

const SYSTEM_ROLE = anyOf(phrases.systemRole);
/** Errors of chat templates that know no system message. */
const TEMPLATE_ROLES = /only user(?:,| and)|roles must alternate/;

/** Faults of a schema's details, and not of schemas as such. */
const STRICTNESS = anyOf(phrases.strictness);

/** The change that a refusal asks for by name; null where it names nothing that can be changed. */
function namedRefusal(known: Differences, complaint: Complaint, sent: Sent): Partial<Differences> | null {
  const { words } = complaint;
  const isRefused = REFUSED.test(words);
  if (known.stream && known.streamUsage && /stream_options|include_usage/.test(words))
    return { streamUsage: false };
  if (isTooLong(complaint)) return null;
  const other = known.maxTokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const isInstead = new RegExp(`(?:use|with|by) \\W?${other}|${other}\\W? instead`).test(words);
  if (words.includes(known.maxTokens) && (isInstead || (isRefused && !BAD_VALUE.test(words))))
    return { maxTokens: other };
  const isOfOutput = OUTPUT_TOKENS.test(words) && BAD_VALUE.test(words);
  if (isOfOutput || (words.includes('token') && numbersIn(words).includes(sent.maxOutput))) {
    const maxOutput = outputLimitIn(words, sent.maxOutput);
    if (maxOutput !== null) return { maxOutput };
  }
  const isOfRoles = (isRefused && SYSTEM_ROLE.test(words)) || TEMPLATE_ROLES.test(words);
  if (sent.hasSystem && known.system && isOfRoles) return { system: false };
  if (known.effort === 'low' && /reasoning|think/.test(words)) return { effort: 'refused' };
  if (words.includes('temperature')) {
    if (known.temperature === 'asked') return { temperature: 'none' };
    const only = /(?:only|be|to)\D{1,30}(\d(?:\.\d+)?)/.exec(words)?.[1];
    if (known.temperature === 'none' && only !== undefined) return { temperature: Number(only) };
  }
  if (known.stream && isRefused && /\bstream(?:ed|ing|s)?\b/.test(words)) return { stream: false };
  if (sent.hasSchema && known.strictSchema && STRICTNESS.test(words)) return { strictSchema: false };
  return null;
}

/** The largest number below what was asked is the limit; half of it where the refusal names none. */
function outputLimitIn(words: string, asked: number): number | null {
  const numbers = numbersIn(words);
  const below = numbers.filter((number) => number >= LEAST_OUTPUT && number < asked);
  if (below.length > 0) return Math.max(...below);
  const isNamed = numbers.some((number) => number > asked);
  const half = Math.floor(asked / 2);
  return isNamed || half < LEAST_OUTPUT ? null : half;
}

function numbersIn(words: string): number[] {
  const said = words
    .replace(/(?:code|status): \d+/g, '')
    .replace(/(\d+) \(exclusive\)/g, (_whole, bound: string) => String(Number(bound) - 1));
  const found = said.matchAll(/(?<![\w.-])\d[\d,_]*(?![\w-])/g);
  return [...found].map(([number]) => Number(number.replace(/[,_]/g, '')));
}
