import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import type { EngineName, Usage, Warning } from '../../contracts/run/run';
import { addUsage, NO_USAGE } from '../../core/budget/usage';
import type { StepResult } from '../../engines/engine';
import { notesOn } from '../../engines/failure-notes';
import { createPaces } from '../../engines/model/paid/pace';
import { ModelFailure } from '../../engines/model/port/model-failure';
import { StepFailedError } from '../../engines/step-failed-error';
import { auditText, type AuditTextInput, type AuditTextOutput } from '../../steps/audit-text/audit-text';
import { openStores } from '../../stores/open-stores';
import { createThreadPool } from '../../threads/pool';
import { createEngine } from '../create-engines';

export interface CriticsReply {
  output: AuditTextOutput | null;
  usage: Usage;
  warnings: Warning[];
  /** What the endpoint failed with; null where it answered, if only with what cannot be used. */
  failure: ModelFailure | null;
}

/** Who is asked whether sources bear sentences, outside of any run. Answers are kept where those of runs are. */
export interface Critic {
  engine: EngineName;
  model: string;
  /** Rejects where it is aborted, and for nothing that an endpoint does. */
  ask(input: AuditTextInput, context: { maxTokens?: number; signal: AbortSignal }): Promise<CriticsReply>;
  close(): Promise<void>;
}

/** What passes by itself is tried so often, with a pause that is doubled each time. */
const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;

/**
 * Opens the critic of the engine that is chosen, which asks models and has an endpoint, with the stores in which what is paid for is
 * kept. Rejects as `openStores` does.
 */
export async function openCritic(config: Config): Promise<Critic> {
  const models = modelChoices(config.openai);
  if (models === null) throw new Error(`No model is configured for the engine ${config.engine}.`);
  const stores = await openStores(config);
  const threads = createThreadPool({ threads: 1, encoder: 'off' });
  const close = async (): Promise<void> => {
    await threads.close();
    await stores.close();
  };
  try {
    const paces = createPaces();
    const engine = await createEngine(config.engine, config, { threads, stores, paces });
    if (engine === null) throw new Error(`The engine ${config.engine} lacks what it needs.`);
    // What it is asked under is new each time: only then an answer of a former command costs nothing again.
    const runId = `verify-${randomUUID()}`;
    return {
      engine: config.engine,
      model: models.critic.name,
      ask: (input, { signal }) =>
        askPatiently(signal, (turn) => engine.run(auditText, input, { runId, signal, turn })),
      async close() {
        await engine.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Asks again what may be answered later; and once otherwise, where the answer could not be used. */
async function askPatiently(
  signal: AbortSignal,
  ask: (turn: number) => Promise<StepResult<AuditTextOutput>>,
): Promise<CriticsReply> {
  let usage = NO_USAGE;
  let turn = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      const { output, warnings, ofRun = [], ...answered } = await ask(turn);
      usage = addUsage(usage, answered.usage);
      return { output, usage, warnings: [...ofRun, ...warnings], failure: null };
    } catch (error) {
      signal.throwIfAborted();
      usage = addUsage(usage, notesOn(error)?.spent ?? NO_USAGE);
      const nothing = { output: null, usage, warnings: [] };
      if (error instanceof ModelFailure) {
        if (!error.retryable || tries >= MOST_TRIES) return { ...nothing, failure: error };
        // How long an endpoint asks to wait is waited before the next call anyway.
        await delay(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal });
      } else if (!(error instanceof StepFailedError)) throw error;
      else if (turn > 0) return { ...nothing, failure: null };
      else turn = 1;
    }
  }
}
