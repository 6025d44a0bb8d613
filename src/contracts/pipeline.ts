/**
 * What each engine is, by its name. A run's input, its history and its report carry the name alone, and the workflow's
 * sandbox has no engine to ask: whoever does one thing for some engines and another for the rest looks here.
 */
export interface EngineTraits {
  /**
   * Its steps ask a model, which takes time and money, and can go wrong: they wait on the queue of models, are counted against
   * the budget, need the models' names, and are asked again or done by quoting where an answer cannot be used.
   */
  readonly asksModels: boolean;
  /** What it reads is paid for by length, so sources that sections share are read once for all of them, in groups. */
  readonly readsInGroups: boolean;
  /** Its steps are carried out by the worker's threads, so no more is read for them at once than threads can take. */
  readonly computesInThreads: boolean;
  /** Its sentences only frame quotes: what they say is the quote, and no claim has to be held against one. */
  readonly framesQuotes: boolean;
  /** What to know of it before it is chosen; null where its name says it. */
  readonly remark: string | null;
}

const engines = {
  extractive: {
    asksModels: false,
    readsInGroups: false,
    computesInThreads: true,
    framesQuotes: true,
    remark: 'offline, no model',
  },
  openai: {
    asksModels: true,
    readsInGroups: true,
    computesInThreads: false,
    framesQuotes: false,
    remark: null,
  },
} satisfies Record<string, EngineTraits>;

type NameOfEngine = keyof typeof engines;

export const engineNames = Object.keys(engines) as NameOfEngine[]; // `Object.keys` forgets the keys of a constant

/** Does by quoting what another engine was refused, or had no budget for: it needs nothing that can be away. */
export const QUOTING_ENGINE = 'extractive' satisfies NameOfEngine;

/** The code of the warning that sentences were chosen by their words, because no encoder reads what they mean. */
export const READ_BY_WORDS = 'read-by-words';

export function traitsOf(engine: NameOfEngine): EngineTraits {
  return engines[engine];
}

/** The passes of a report in their order. */
export const REPORT_PASSES = ['gather', 'overview', 'deep-dive', 'cross-reference', 'report'] as const;
export type ReportPass = (typeof REPORT_PASSES)[number];

/** The passes of a brief in their order. */
export const BRIEF_PASSES = ['gather', 'plan', 'write', 'judge'] as const;
export type BriefPass = (typeof BRIEF_PASSES)[number];

/** How long a run tries on by itself where nothing else is said: a day. */
export const DEFAULT_PATIENCE_MS = 86_400_000;

/** Somebody waits for an answer: what is away is waited for so long, and then the answer is what stands in for one. */
export const ANSWER_PATIENCE_MS = 120_000;
