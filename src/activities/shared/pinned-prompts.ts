import type { ArtifactRef } from '../../contracts/run/artifact';
import { traitsOf } from '../../contracts/run/engines';
import { PinnedPrompts, type PinnedPrompt, type PromptOrigin } from '../../contracts/run/prompts';
import type { EngineName } from '../../contracts/run/run';
import { WITHOUT_PROMPT } from '../../steps/template';
import { STEPS, type StepName } from '../../steps/registry';
import { readShared, storeArtifact } from './artifacts';
import type { ActivityPorts, RunFacts } from './ports';

/**
 * Pins a run to the prompts that its steps have outside the program now, so that whatever is tried again or goes on later is
 * asked in the same words. Null where there are none outside, or no model is asked.
 */
export async function pinPrompts(
  { prompts, content }: Pick<ActivityPorts, 'prompts' | 'content'>,
  { runId, engine }: { runId: string; engine: EngineName | undefined },
  names: readonly StepName[],
  signal: AbortSignal,
): Promise<ArtifactRef | null> {
  if (prompts === null || engine === undefined || !traitsOf(engine).asksModels) return null;
  const steps = STEPS.filter(({ name, template }) => names.includes(name) && template !== WITHOUT_PROMPT);
  return storeArtifact(content, runId, await prompts.resolve(steps, signal));
}

const NOTHING_PINNED: PinnedPrompts = { prompts: {}, warnings: [] };

export async function readPinnedPrompts(
  { content }: Pick<ActivityPorts, 'content'>,
  { promptsRef }: RunFacts,
): Promise<PinnedPrompts> {
  return promptsRef === undefined ? NOTHING_PINNED : readShared(content, promptsRef, PinnedPrompts);
}

/** Which prompt each of a run's steps was given, for its provenance; absent where it asks no model. */
export async function promptsUsed(
  ports: Pick<ActivityPorts, 'content'>,
  run: RunFacts,
  names: readonly StepName[],
): Promise<{ prompts?: Record<string, PromptOrigin> }> {
  if (!traitsOf(run.engine).asksModels) return {};
  const { prompts } = await readPinnedPrompts(ports, run);
  const used = names.map((name) => {
    const version = run.stepVersions[name] ?? 'unknown';
    return [name, originOf({ name, version }, prompts[name])] as const;
  });
  return { prompts: Object.fromEntries(used) };
}

export function originOf(
  { name, version }: { name: string; version: string },
  pinned: PinnedPrompt | undefined,
): PromptOrigin {
  if (pinned === undefined) return { name, version, labels: [], from: 'code' };
  const { template: _text, ...origin } = pinned;
  return origin;
}
