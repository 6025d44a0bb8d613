/** Capabilities of an engine. Inputs, histories and reports have only its name, and the workflow sandbox has no engine. */
export interface EngineCapabilities {
  /**
   * Its steps call a model. They use the model task queue and the budget, need model names, and retry or fall back to quotes
   * after an unusable answer.
   */
  readonly asksModels: boolean;
  /** Reading is paid for by length, so sources that sections share are read once for all of them, in groups. */
  readonly readsInGroups: boolean;
  /** Worker threads run its steps, so no more is read at once than the threads can take. */
  readonly computesInThreads: boolean;
  /** Its sentences only frame quotes, so no claim is checked against them. */
  readonly framesQuotes: boolean;
  /** A note for the choice of engine; null without one. */
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
} satisfies Record<string, EngineCapabilities>;

type EngineKey = keyof typeof engines;

export const engineNames = Object.keys(engines) as EngineKey[]; // `Object.keys` forgets the keys of a constant

/** Replaces another engine after a refusal or without budget. It depends on no service. */
export const QUOTING_ENGINE = 'extractive' satisfies EngineKey;

/** Warning code: sentences were chosen by their words, because no encoder was available. */
export const READ_BY_WORDS = 'read-by-words';

export function capabilitiesOf(engine: EngineKey): EngineCapabilities {
  return engines[engine];
}

export const REPORT_PASSES = ['gather', 'overview', 'deep-dive', 'cross-reference', 'report'] as const;
export type ReportPass = (typeof REPORT_PASSES)[number];

export const BRIEF_PASSES = ['gather', 'plan', 'write', 'judge'] as const;
export type BriefPass = (typeof BRIEF_PASSES)[number];

/** Retry time of a run: 1 day. */
export const DEFAULT_PATIENCE_MS = 86_400_000;

/** Retry time of an answer, because a caller waits for it. A fallback answer follows. */
export const ANSWER_PATIENCE_MS = 120_000;
