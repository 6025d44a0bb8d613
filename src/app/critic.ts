import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { criticInput, criticVerdicts } from '../activities/audit-statements';
import { addUsage, FINDINGS_CHARS, isOverBudget, NO_USAGE } from '../contracts/budget';
import type { ClaimVerdict } from '../contracts/finding';
import type { EngineName, Usage, Warning } from '../contracts/run';
import type { BudgetLimits } from '../contracts/run-input';
import { modelChoices } from '../contracts/settings';
import type { AskedCritic, VerifiedReport } from '../contracts/verified-report';
import { getFailureNotes, StepFailedError, type StepResult } from '../engines/engine';
import { ModelFailure } from '../engines/model/port';
import { createRateLimiters } from '../engines/model/rate-limiter';
import { createThreadPool } from '../engines/thread-pool';
import { distinctBy } from '../lib/iterables';
import {
  type FoundVerdict,
  type GivenSource,
  type OpenClaim,
  openClaims,
  type PreparedSources,
  withMoreSources,
  withVerdicts,
} from '../report/statement-verdicts';
import { auditText, type AuditTextInput, type AuditTextOutput } from '../steps/audit-text';
import { openStores } from '../stores/open-stores';
import type { Config } from './config';
import { createEngine } from './model-endpoint';

export interface CriticReply {
  output: AuditTextOutput | null;
  usage: Usage;
  warnings: Warning[];
  /** Null if the endpoint answered, even with unusable output. */
  failure: ModelFailure | null;
}

/** Checks outside of a run whether sources support sentences. Answers share the response cache of runs. */
export interface Critic {
  engine: EngineName;
  model: string;
  /** Rejects only on abort. Endpoint failures are part of the reply. */
  ask(input: AuditTextInput, context: { maxTokens?: number; signal: AbortSignal }): Promise<CriticReply>;
  close(): Promise<void>;
}

/** Maximum tries of a retryable failure. The pause doubles each time. */
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 500;

/** Throws if no model is configured; rejects as `openStores`. */
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
    const paces = createRateLimiters();
    const engine = await createEngine(config.engine, config, { threads, stores, paces });
    if (engine === null) throw new Error(`The engine ${config.engine} lacks what it needs.`);
    // A fresh run id: answers of earlier commands are then cache hits and cost nothing.
    const runId = `verify-${randomUUID()}`;
    return {
      engine: config.engine,
      model: models.critic.name,
      ask: (input, { signal }) =>
        askWithRetries(signal, (turn) => engine.run(auditText, input, { runId, signal, turn })),
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

/** Retries retryable failures, and asks once more if the answer is unusable. */
async function askWithRetries(
  signal: AbortSignal,
  ask: (turn: number) => Promise<StepResult<AuditTextOutput>>,
): Promise<CriticReply> {
  let usage = NO_USAGE;
  let turn = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      const { output, warnings, ofRun = [], ...answered } = await ask(turn);
      usage = addUsage(usage, answered.usage);
      return { output, usage, warnings: [...ofRun, ...warnings], failure: null };
    } catch (error) {
      signal.throwIfAborted();
      usage = addUsage(usage, getFailureNotes(error)?.spent ?? NO_USAGE);
      const nothing = { output: null, usage, warnings: [] };
      if (error instanceof ModelFailure) {
        if (!error.retryable || tries >= MAX_TRIES) return { ...nothing, failure: error };
        // The rate limiter already observes the wait that an endpoint asks for.
        await delay(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal });
      } else if (!(error instanceof StepFailedError)) throw error;
      else if (turn > 0) return { ...nothing, failure: null };
      else turn = 1;
    }
  }
}

export interface CritiqueOptions {
  critic: Critic;
  sources: readonly GivenSource[];
  held: PreparedSources;
  limits: Pick<BudgetLimits, 'maxTokens' | 'maxCostUsd'>;
  signal: AbortSignal;
  /** Called before the first claim and after each call. */
  onProgress?: (progress: { done: number; claims: number }) => void;
}

/**
 * Asks the critic about claims that the word comparison left open or rejected, and again with more sources if they
 * may be misattributed. Claims that are left when the budget is spent or the endpoint fails keep their verdicts.
 */
export async function critiqueReport(
  verified: VerifiedReport,
  asking: CritiqueOptions,
): Promise<VerifiedReport> {
  const { critic, sources, held, onProgress = () => undefined } = asking;
  const open = openClaims(verified, held);
  const asked = createCriticSession(asking);
  const found = new Map<OpenClaim, FoundVerdict>();
  const total = countOf(open);
  onProgress({ done: 0, claims: total });
  await asked.about(open, (claim, verdict) => {
    found.set(claim, verdict);
    onProgress({ done: countOf([...found.keys()]), claims: total });
  });
  const unasked = total - countOf([...found.keys()]);
  const elsewhere = open.flatMap((claim) => {
    const onCited = found.get(claim);
    const onMore = onCited && mayBeMisattributed(onCited) ? withMoreSources(claim, held) : null;
    return onCited === undefined || onMore === null ? [] : [{ ...onMore, claim, onCited }];
  });
  await asked.about(elsewhere, ({ claim, onCited }, onAll) => {
    found.set(claim, mergeVerdicts(claim, onCited, onAll));
  });
  const { usage, warnings, ended } = asked.sofar();
  const verdicts = [...found].flatMap(([{ ids }, verdict]) =>
    ids.map((id): [string, FoundVerdict] => [id, verdict]),
  );
  const told: AskedCritic = {
    engine: critic.engine,
    model: critic.model,
    claims: total - unasked,
    unasked,
    ended,
    usage,
    warnings,
  };
  return { ...withVerdicts(verified, new Map(verdicts), sources), critic: told };
}

interface CriticSession {
  about<Claim extends OpenClaim>(
    claims: readonly Claim[],
    onVerdict: (claim: Claim, verdict: ClaimVerdict) => void,
  ): Promise<void>;
  sofar(): Pick<AskedCritic, 'usage' | 'warnings' | 'ended'>;
}

/** Calls the critic in batches until the budget is spent or a call fails. */
function createCriticSession({ critic, sources, limits, signal }: CritiqueOptions): CriticSession {
  let usage: Usage = NO_USAGE;
  let warnings: Warning[] = [];
  let ended: AskedCritic['ended'] = null;
  return {
    async about(claims, onVerdict) {
      let left = claims;
      while (left.length > 0 && ended === null) {
        if (isOverBudget({ limits, spent: usage })) {
          ended = { by: 'budget', message: 'The budget is spent.' };
          return;
        }
        const batch = nextBatch(left);
        left = left.slice(batch.length);
        const input = criticInput(batch, sources, '');
        const { output, failure, ...reply } = await critic.ask(input, { signal });
        usage = addUsage(usage, reply.usage);
        const isUnread = output === null && failure === null;
        const told = [...warnings, ...(isUnread ? [UNREADABLE_ANSWER] : []), ...reply.warnings];
        warnings = distinctBy(told, ({ message }) => message);
        if (failure) {
          ended = { by: 'endpoint', message: failure.message };
          return;
        }
        const verdicts = criticVerdicts(batch, input, output ?? NO_VERDICTS);
        for (const [place, claim] of batch.entries()) onVerdict(claim, verdicts[place] ?? claim.byWords);
      }
    },
    sofar: () => ({ usage, warnings, ended }),
  };
}

const CLAIMS_PER_CALL = 40;
const NO_VERDICTS = { verdicts: [], notes: [] };
const UNREADABLE_ANSWER: Warning = {
  code: 'critic-not-readable',
  message:
    'An answer of the critic could not be read, twice; what it was asked about stays as words have it.',
};

function nextBatch<Claim extends OpenClaim>(claims: readonly Claim[]): Claim[] {
  let batch = claims.slice(0, CLAIMS_PER_CALL);
  while (batch.length > 1 && charsOf(batch) > FINDINGS_CHARS) batch = batch.slice(0, -1);
  return batch;
}

function charsOf(claims: readonly OpenClaim[]): number {
  const evidence = distinctBy(
    claims.flatMap((claim) => claim.evidence),
    ({ sourceId, start, end }) => `${sourceId}@${start}-${end}`,
  );
  const texts = [...evidence.map(({ quote }) => quote), ...claims.map(({ plain }) => plain)];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function countOf(claims: readonly OpenClaim[]): number {
  return claims.reduce((sum, { ids }) => sum + ids.length, 0);
}

function mayBeMisattributed({ verdict }: ClaimVerdict): boolean {
  return verdict === 'partial' || verdict === 'unsupported';
}

function mergeVerdicts(
  { sourceIds }: Pick<OpenClaim, 'sourceIds'>,
  onCited: ClaimVerdict,
  onAll: ClaimVerdict,
): FoundVerdict {
  const quotes = onAll.quotes ?? (onAll.evidence === null ? [] : [onAll.evidence]);
  const saidElsewhere = quotes.filter(({ sourceId }) => !sourceIds.includes(sourceId));
  const [best] = saidElsewhere;
  if (best === undefined || onAll.code !== 'critic') return onCited;
  if (onAll.verdict === 'supported')
    return { ...onCited, code: 'misattributed', betterSourceId: best.sourceId, saidElsewhere };
  return onAll.verdict === 'partial' || onAll.verdict === 'inference'
    ? { ...onCited, saidElsewhere }
    : onCited;
}
