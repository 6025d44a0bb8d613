import { setMaxListeners } from 'node:events';
import type { PinnedPrompt, PinnedPrompts } from '../contracts/run/prompts';
import type { Warning } from '../contracts/run/run';
import { LangfuseAwayError, type FetchPrompt, type WantedPrompt } from './langfuse-client';
import type { PromptedStep, PromptSource } from './prompt-source';
import { templateFromOutside, type OutsidePrompt } from './template-from-outside';

/** A Langfuse that did not answer is left alone for so long: no other run waits for it meanwhile. */
const LEFT_ALONE_MS = 30_000;

export interface LangfusePromptSettings {
  fetchPrompt: FetchPrompt;
  label: string;
  /** By step: the version that is wanted, whatever the label names; and what Langfuse calls the prompt. */
  versions: Readonly<Record<string, number | null>>;
  names: Readonly<Record<string, string>>;
  cacheTtlMs: number;
  /** For all prompts of a run together. */
  timeoutMs: number;
}

/** Null for a prompt that there is not. */
type Found = OutsidePrompt | null;

/** Langfuse's prompts, fetched once within the time that they count as the newest, and never waited for longer than the limit. */
export function createLangfusePrompts(settings: LangfusePromptSettings): PromptSource {
  const { fetchPrompt, label, versions, names, cacheTtlMs, timeoutMs } = settings;
  const kept = new Map<string, { found: Found; at: number }>();
  let away: { reason: string; since: number } | null = null;

  /** Undefined where Langfuse is away and has not given it before. */
  async function find(
    wanted: WantedPrompt,
    limit: AbortSignal,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const key = JSON.stringify(wanted);
    const known = kept.get(key);
    if (known !== undefined && Date.now() - known.at < cacheTtlMs) return known.found;
    if (away !== null && Date.now() - away.since < LEFT_ALONE_MS) return known?.found;
    try {
      const found = await within(fetchPrompt(wanted, limit), limit);
      away = null;
      kept.set(key, { found, at: Date.now() });
      return found;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LangfuseAwayError)) throw error;
      away = { reason: error.message, since: Date.now() };
      return known?.found;
    }
  }

  return {
    async resolve(steps, signal) {
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      // Each request listens to it.
      setMaxListeners(0, limit);
      const looked = await Promise.all(
        steps.map(async (step) => {
          const version = versions[step.name] ?? null;
          const wanted = { name: names[step.name] ?? step.name, version, label };
          const found = await find(wanted, limit, signal);
          if (found !== null || step.knownPrompt === undefined || names[step.name] !== undefined)
            return { step, wanted, found };
          const known = { ...wanted, name: step.knownPrompt.name };
          const other = await find(known, limit, signal);
          return { step, wanted: other ? known : wanted, found: other };
        }),
      );
      signal.throwIfAborted();
      const prompts: Record<string, PinnedPrompt> = {};
      const warnings: Warning[] = [];
      for (const { step, wanted, found } of looked) {
        if (found === undefined) continue;
        if (found === null) {
          if (wanted.version !== null) warnings.push(notThere(wanted.name, wanted.version));
          continue;
        }
        const taken = taking(step, wanted, found);
        if ('problem' in taken) warnings.push(taken.problem);
        else prompts[step.name] = taken.prompt;
      }
      const isAway = looked.some(({ found }) => found === undefined);
      if (isAway) warnings.push(isAwayNow(away?.reason ?? 'it does not answer'));
      else if (looked.every(({ found }) => found === null)) warnings.push(hasNone(label));
      return { prompts, warnings } satisfies PinnedPrompts;
    },
  };
}

/** Whatever is still read when the time is over is given up, even where whoever reads it does not notice. */
async function within(fetched: Promise<Found>, limit: AbortSignal): Promise<Found> {
  let giveUp = (): void => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(new LangfuseAwayError('it does not answer in time'));
    limit.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([fetched, over]);
  } finally {
    limit.removeEventListener('abort', giveUp);
  }
}

function taking(
  step: PromptedStep,
  { name }: WantedPrompt,
  found: OutsidePrompt,
): { prompt: PinnedPrompt } | { problem: Warning } {
  const made = templateFromOutside(found, step);
  if ('template' in made) {
    const { version, labels } = found;
    return { prompt: { name, version: `${version}`, labels, from: 'langfuse', template: made.template } };
  }
  const message = `Version ${found.version} of Langfuse's prompt ${name} ${made.problem}; the program's own is used for step ${step.name}.`;
  return { problem: { code: 'prompt-refused', message } };
}

function notThere(name: string, version: number): Warning {
  return {
    code: 'prompt-missing',
    message: `Langfuse has no version ${version} of prompt ${name}; the program's own is used.`,
  };
}

function hasNone(label: string): Warning {
  return {
    code: 'prompts-missing',
    message: `Langfuse has no prompt of any step with the label ${label}; the program's own are used.`,
  };
}

function isAwayNow(reason: string): Warning {
  return {
    code: 'prompts-away',
    message: `Prompts cannot be had from Langfuse (${reason}); the program's own stand for those it has not given before.`,
  };
}
