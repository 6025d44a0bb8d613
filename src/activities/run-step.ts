import { createHash } from 'node:crypto';
import { modelOfPass } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import type { EngineName, Usage, Warning } from '../contracts/run';
import {
  type ModelChoices,
  type PinnedPrompt,
  PinnedPrompts,
  type PromptOrigin,
} from '../contracts/run-input';
import { eventKey, type EventPlace } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import { getFailureNotes, type ModelCall, type StepResult } from '../engines/engine';
import { type StepName, STEPS } from '../steps/registry';
import { EMPTY_TEMPLATE, type Step, type StepRole } from '../steps/step';
import { readCached, storeArtifact } from './artifacts';
import type { StepSpan } from './external-ports';
import type { ActivityPorts, RunContext } from './ports';

export class EngineNotAvailableError extends Error {
  override readonly name = 'EngineNotAvailableError';
  constructor(engine: EngineName) {
    super(`This worker has no "${engine}" engine; it needs the configuration for it.`);
  }
}

/** Another worker may have the pinned version, so Temporal retries. */
export class StepVersionError extends Error {
  override readonly name = 'StepVersionError';
  constructor(step: { name: string; version: string }, pinned: string) {
    super(
      `The run is pinned to version ${pinned} of step ${step.name}; this worker has version ${step.version}.`,
    );
  }
}

export interface UsageAndWarnings {
  usage: Usage;
  warnings: Warning[];
}

/** Maximum warnings per activity in the workflow history; the event log has all of them. */
export const MAX_RETURNED_WARNINGS = 20;

/** Throws `EngineNotAvailableError` or `StepVersionError`. */
export async function runStep<Input, Output>(
  ports: ActivityPorts,
  run: RunContext,
  step: Step<Input, Output>,
  input: Input,
  at: {
    place: Pick<EventPlace, 'pass' | 'section' | 'revision' | 'ordinal'>;
    signal: AbortSignal;
    onText?: (text: string) => void;
  },
): Promise<{ output: Output } & UsageAndWarnings> {
  const engine = ports.engines[run.engine];
  if (engine === undefined) throw new EngineNotAvailableError(run.engine);
  const pinned = run.stepVersions[step.name];
  if (pinned !== undefined && pinned !== step.version) throw new StepVersionError(step, pinned);
  const outside = await readPinnedPrompts(ports, run);
  const prompt = outside.prompts[step.name];
  const asked = { step, input, place: at.place, prompt };
  const result = await traceStep(ports, run, asked, (listening) =>
    engine.run(step, input, {
      runId: run.runId,
      signal: at.signal,
      ...(at.place.revision === undefined ? {} : { revision: at.place.revision }),
      ...(run.turn === undefined ? {} : { turn: run.turn }),
      ...(run.temperature === undefined ? {} : { temperature: run.temperature }),
      ...(run.models ? { models: passModelNames(run.models, at.place.pass) } : {}),
      ...(at.onText ? { onText: at.onText } : {}),
      ...(prompt === undefined ? {} : { template: prompt.template }),
      ...listening,
    }),
  );
  const { output, usage, warnings } = result;
  const ofRun = [...outside.warnings, ...(result.ofRun ?? [])];
  for (const warning of ofRun) {
    const ordinal = createHash('sha256').update(warning.message).digest('hex').slice(0, 16);
    const key = eventKey({ pass: 0, step: 'run', type: 'warning', ordinal: `${warning.code}-${ordinal}` });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
  }
  for (const [index, warning] of warnings.entries()) {
    const ordinal = at.place.ordinal === undefined ? index : `${at.place.ordinal}.${index}`;
    const key = eventKey({ ...at.place, step: step.name, type: 'warning', ordinal });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
  }
  return { output, usage, warnings: [...ofRun, ...warnings].slice(0, MAX_RETURNED_WARNINGS) };
}

function passModelNames(models: ModelChoices, pass: number): Record<StepRole, string> {
  const name = (role: StepRole): string => modelOfPass(models, role, pass).name;
  return { fast: name('fast'), strong: name('strong'), critic: name('critic') };
}

async function traceStep<Input, Output>(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: RunContext,
  asked: {
    step: Step<Input, Output>;
    input: Input;
    place: StepSpan['place'];
    prompt: PinnedPrompt | undefined;
  },
  carryOut: (listening: { onCall?: (call: ModelCall) => void }) => Promise<StepResult<Output>>,
): Promise<StepResult<Output>> {
  if (!traces.isOn) return carryOut({});
  const { step, input, place, prompt } = asked;
  const startedAt = Date.now();
  const calls: ModelCall[] = [];
  const tell = (ended: Pick<StepSpan, 'usage' | 'failure' | 'output'>): void => {
    const origin: PromptOrigin | null = capabilitiesOf(run.engine).asksModels
      ? promptOrigin(step, prompt)
      : null;
    const { name, version } = step;
    const { engine, turn = 0 } = run;
    traces.step(run, {
      step: { name, version },
      engine,
      place,
      turn,
      prompt: origin,
      startedAt,
      endedAt: Date.now(),
      calls,
      input,
      ...ended,
    });
  };
  try {
    const result = await carryOut({ onCall: (call) => calls.push(call) });
    tell({ usage: result.usage, failure: null, output: result.output });
    return result;
  } catch (error) {
    const notes = getFailureNotes(error);
    const name = error instanceof Error ? error.name : 'unknown';
    const advice = notes?.advice ?? null;
    const kind = advice === null ? '' : `.${advice.kind}`;
    tell({ usage: notes?.spent ?? null, failure: `${name}${kind}`, output: undefined });
    throw error;
  }
}

/** Engines that wait for answers need no slot: holding one would only delay others. */
export function withThreadSlot<Result>(
  { threads }: ActivityPorts,
  run: RunContext,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  return capabilitiesOf(run.engine).computesInThreads ? threads.takeTurn(work, signal) : work();
}

/** Distinguishes the events of repeated passes. */
export function roundOrdinal({ round }: Pick<RunContext, 'round'>): { ordinal?: number } {
  return round === undefined ? {} : { ordinal: round };
}

/**
 * Stores the current prompts, so that retries and later passes use the same ones. Null if no external prompts are
 * configured or the engine asks no model.
 */
export async function pinPrompts(
  { prompts, content }: Pick<ActivityPorts, 'prompts' | 'content'>,
  { runId, engine }: { runId: string; engine: EngineName | undefined },
  names: readonly StepName[],
  signal: AbortSignal,
): Promise<ArtifactRef | null> {
  if (prompts === null || engine === undefined || !capabilitiesOf(engine).asksModels) return null;
  const steps = STEPS.filter(({ name, template }) => names.includes(name) && template !== EMPTY_TEMPLATE);
  return storeArtifact(content, runId, await prompts.resolve(steps, signal));
}

const NO_PINNED_PROMPTS: PinnedPrompts = { prompts: {}, warnings: [] };

async function readPinnedPrompts(
  { content }: Pick<ActivityPorts, 'content'>,
  { promptsRef }: RunContext,
): Promise<PinnedPrompts> {
  return promptsRef === undefined ? NO_PINNED_PROMPTS : readCached(content, promptsRef, PinnedPrompts);
}

/** Absent if the engine asks no model. */
export async function usedPrompts(
  ports: Pick<ActivityPorts, 'content'>,
  run: RunContext,
  names: readonly StepName[],
): Promise<{ prompts?: Record<string, PromptOrigin> }> {
  if (!capabilitiesOf(run.engine).asksModels) return {};
  const { prompts } = await readPinnedPrompts(ports, run);
  const used = names.map((name) => {
    const version = run.stepVersions[name] ?? 'unknown';
    return [name, promptOrigin({ name, version }, prompts[name])] as const;
  });
  return { prompts: Object.fromEntries(used) };
}

function promptOrigin(
  { name, version }: { name: string; version: string },
  pinned: PinnedPrompt | undefined,
): PromptOrigin {
  if (pinned === undefined) return { name, version, labels: [], from: 'code' };
  const { template: _text, ...origin } = pinned;
  return origin;
}
