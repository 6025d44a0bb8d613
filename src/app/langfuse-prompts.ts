import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import type { PromptedStep, PromptSource } from '../activities/external-ports';
import type { Warning } from '../contracts/run';
import type { PinnedPrompt, PinnedPrompts } from '../contracts/run-input';
import type { ExternalSettings } from '../contracts/settings';
import type { Secret } from '../lib/process';
import { STEPS } from '../steps/registry';
import { renameVariables, type StepTemplate, templateVariables, unsupportedVariables } from '../steps/step';
import { ConfigError, type ConfigProblem } from './app-errors';

const ChatPart = z.object({ role: z.string(), content: z.string() });

const OutsidePrompt = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    version: z.int(),
    labels: z.array(z.string()),
    prompt: z.string().min(1),
  }),
  z.object({
    type: z.literal('chat'),
    version: z.int(),
    labels: z.array(z.string()),
    prompt: z
      .array(z.union([ChatPart, z.object({ type: z.literal('placeholder'), name: z.string() })]))
      .min(1),
  }),
]);

type OutsidePrompt = z.infer<typeof OutsidePrompt>;

/** Langfuse failed. A missing prompt is not an error. */
class LangfuseAwayError extends Error {
  override readonly name = 'LangfuseAwayError';
}

/** After a failure no run waits for Langfuse for this time. */
const RETRY_AFTER_MS = 30_000;

/** Returns null if the settings use the built-in prompts. Throws `ConfigError` for unknown steps. */
export async function openPrompts({
  prompts,
  langfuse: { baseUrl, publicKey, secretKey },
}: Pick<ExternalSettings, 'prompts' | 'langfuse'>): Promise<PromptSource | null> {
  const problems = [...unknownSteps('versions', prompts.versions), ...unknownSteps('names', prompts.names)];
  if (problems.length > 0) throw new ConfigError(problems);
  const hasAccess = baseUrl !== null && publicKey !== null && secretKey !== null;
  if (prompts.provider !== 'langfuse' || !hasAccess) return null;
  const fetchPrompt = await openLangfuseClient({ baseUrl, publicKey, secretKey }, prompts.timeoutMs);
  return createLangfusePrompts({ ...prompts, fetchPrompt });
}

/** The settings schema does not know the steps, and a misspelt name would have no effect. */
function unknownSteps(
  table: 'versions' | 'names',
  byStep: Readonly<Record<string, unknown>>,
): ConfigProblem[] {
  const steps = STEPS.map(({ name }): string => name);
  return Object.keys(byStep)
    .filter((name) => !steps.includes(name))
    .map((value) => ({ name: `prompts.${table}`, from: 'file', value, allowed: steps.join(', ') }));
}

interface PromptQuery {
  name: string;
  version: number | null;
  label: string;
}

interface LangfusePromptSettings {
  fetchPrompt: FetchPrompt;
  label: string;
  /** By step. A version takes precedence over the label. */
  versions: Readonly<Record<string, number | null>>;
  names: Readonly<Record<string, string>>;
  cacheTtlMs: number;
  timeoutMs: number;
}

/** Null if the prompt does not exist. */
type PromptLookup = OutsidePrompt | null;

function createLangfusePrompts(settings: LangfusePromptSettings): PromptSource {
  const { fetchPrompt, label, versions, names, cacheTtlMs, timeoutMs } = settings;
  const kept = new Map<string, { found: PromptLookup; at: number }>();
  let away: { reason: string; since: number } | null = null;

  /** Undefined if Langfuse fails and the prompt is not cached. */
  async function find(
    wanted: PromptQuery,
    limit: AbortSignal,
    signal: AbortSignal,
  ): Promise<PromptLookup | undefined> {
    const key = JSON.stringify(wanted);
    const known = kept.get(key);
    if (known !== undefined && Date.now() - known.at < cacheTtlMs) return known.found;
    if (away !== null && Date.now() - away.since < RETRY_AFTER_MS) return known?.found;
    try {
      const found = await rejectAtLimit(fetchPrompt(wanted, limit), limit);
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
      // Every request adds a listener to the signal.
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
          if (wanted.version !== null) warnings.push(missingVersionWarning(wanted.name, wanted.version));
          continue;
        }
        const taken = toPinnedPrompt(step, wanted, found);
        if ('problem' in taken) warnings.push(taken.problem);
        else prompts[step.name] = taken.prompt;
      }
      const isAway = looked.some(({ found }) => found === undefined);
      if (isAway) warnings.push(unavailableWarning(away?.reason ?? 'it does not answer'));
      else if (looked.every(({ found }) => found === null)) warnings.push(noPromptsWarning(label));
      return { prompts, warnings } satisfies PinnedPrompts;
    },
  };
}

/** Rejects at the limit even if the fetch ignores the signal. */
async function rejectAtLimit(fetched: Promise<PromptLookup>, limit: AbortSignal): Promise<PromptLookup> {
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

function toPinnedPrompt(
  step: PromptedStep,
  { name }: PromptQuery,
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

function missingVersionWarning(name: string, version: number): Warning {
  return {
    code: 'prompt-missing',
    message: `Langfuse has no version ${version} of prompt ${name}; the program's own is used.`,
  };
}

function noPromptsWarning(label: string): Warning {
  return {
    code: 'prompts-missing',
    message: `Langfuse has no prompt of any step with the label ${label}; the program's own are used.`,
  };
}

function unavailableWarning(reason: string): Warning {
  return {
    code: 'prompts-away',
    message: `Prompts cannot be had from Langfuse (${reason}); the program's own stand for those it has not given before.`,
  };
}

interface LangfuseAccess {
  baseUrl: string;
  publicKey: Secret;
  secretKey: Secret;
}

/** Returns null if the prompt does not exist. Throws `LangfuseAwayError`, whose message contains no key. */
type FetchPrompt = (wanted: PromptQuery, signal: AbortSignal) => Promise<OutsidePrompt | null>;

/** Langfuse's own prompt cache is not used: it serves stale prompts, and a missing prompt looks like a failed server. */
async function openLangfuseClient(access: LangfuseAccess, timeoutMs: number): Promise<FetchPrompt> {
  const { LangfuseClient } = await import('@langfuse/client');
  const { api } = new LangfuseClient({
    baseUrl: access.baseUrl.replace(/\/+$/, ''),
    publicKey: access.publicKey.reveal(),
    secretKey: access.secretKey.reveal(),
  });
  return async ({ name, version, label }, abortSignal) => {
    let answer: unknown;
    try {
      const which = version === null ? { label } : { version };
      const limits = { maxRetries: 0, timeoutInSeconds: timeoutMs / 1_000, abortSignal };
      answer = await api.prompts.get(name, which, limits);
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return null;
      throw new LangfuseAwayError(status === null ? 'it does not answer' : `it answers ${status}`);
    }
    const prompt = OutsidePrompt.safeParse(answer);
    if (prompt.success) return prompt.data;
    throw new LangfuseAwayError(`what it gives as prompt ${name} is none`);
  };
}

function statusOf(error: unknown): number | null {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/**
 * Text replaces the user message; without a system message the step keeps its own. The variables must be those of the
 * step: an unknown one would be sent literally, a missing one would hide material from the model.
 */
function templateFromOutside(
  prompt: OutsidePrompt,
  { template: own, knownPrompt: known }: Omit<PromptedStep, 'name'>,
): { template: StepTemplate } | { problem: string } {
  const parts = prompt.type === 'text' ? [{ role: 'user', content: prompt.prompt }] : prompt.prompt;
  const texts: Record<'system' | 'user', string[]> = { system: [], user: [] };
  for (const part of parts) {
    if (!('role' in part))
      return { problem: `has a placeholder (${part.name}), for which a step has no messages` };
    const { role, content } = part;
    if (role !== 'system' && role !== 'user') return { problem: `has a message of the role ${role}` };
    texts[role].push(content);
  }
  if (texts.user.length === 0) return { problem: 'has no message of the user' };
  const system = texts.system.length === 0 ? own.system : texts.system.join('\n\n');
  const written = renameVariables({ system, user: texts.user.join('\n\n') }, known?.variables ?? {});
  const offered = templateVariables(own);
  const template = known === undefined ? written : withForm(written, known.form, offered);
  const named = templateVariables(template);
  const unknown = [...named.filter((name) => !offered.includes(name)), ...unsupportedVariables(template)];
  const missing = offered.filter((name) => !named.includes(name));
  if (unknown.length === 0 && missing.length === 0) return { template };
  const said = [
    ...(unknown.length > 0 ? [`names ${unknown.join(', ')}, which the step does not offer`] : []),
    ...(missing.length > 0 ? [`leaves out ${missing.join(', ')}`] : []),
  ];
  return { problem: said.join(', and ') };
}

function withForm(written: StepTemplate, form: string, offered: readonly string[]): StepTemplate {
  const named = templateVariables(written);
  const isWhole = offered.every((name) => named.includes(name));
  return isWhole ? written : { ...written, user: `${written.user}\n\n${form}` };
}
