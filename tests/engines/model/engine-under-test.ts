import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, StepContext, StepResult } from '../../../src/engines/engine';
import { createModelEngine, type ModelEngineSettings } from '../../../src/engines/model/model-engine';
import { createRateLimiter } from '../../../src/engines/model/rate-limiter';
import { createOpenAiClient } from '../../../src/engines/openai/openai-client';
import { Secret } from '../../../src/lib/process';
import type { Step } from '../../../src/steps/step';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import {
  type ModelServer,
  type RecordedRequest,
  type Script,
  startModelServer,
} from '../../model-server/model-server';

export const API_KEY = 'sk-never-to-be-shown';

export interface EngineUnderTest {
  engine: Engine;
  server: ModelServer;
  stores: Stores;
  dataDir: string;
  /** Another engine on the same stores and the same server, as another process has it. */
  another: (settings?: EngineSettings) => Engine;
}

export type EngineSettings = Partial<ModelEngineSettings> & {
  maxConcurrentCalls?: number;
  timeoutMs?: number;
  firstByteMs?: number;
  inactivityMs?: number;
};

const opened: (() => Promise<void>)[] = [];

/** Closes what the test opened; for `afterEach`. */
export async function closeEngines(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.splice(0).reverse())
    await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** An openai engine that asks a scripted server, and keeps what is paid for in a store of its own. */
export async function engineAgainst(script: Script, settings: EngineSettings = {}): Promise<EngineUnderTest> {
  const server = await startModelServer(script);
  const dataDir = await mkdtemp(join(tmpdir(), 'colligate-engine-'));
  const stores = await openStores({ stores: 'lmdb', dataDir });
  opened.push(async () => {
    await stores.close();
    await rm(dataDir, { recursive: true });
  });
  opened.push(() => server.close());
  const another = (given: EngineSettings = {}): Engine =>
    engineOn({ ...settings, ...given, baseUrl: given.baseUrl ?? server.baseUrl, cache: stores.responses });
  return { engine: another(), server, stores, dataDir, another };
}

/** What a step makes of its input against a server of its own. */
export async function runAgainst<Input, Output>(
  step: Step<Input, Output>,
  input: Input,
  script: Script,
  { context: changes, ...settings }: EngineSettings & { context?: Partial<StepContext> } = {},
): Promise<StepResult<Output> & EngineUnderTest> {
  const under = await engineAgainst(script, settings);
  return { ...(await under.engine.run(step, input, context(changes))), ...under };
}

/** The same for a step that is streamed, whose text has to be what was streamed. */
export async function streamAgainst<Input, Output extends { markdown: string }>(
  step: Step<Input, Output>,
  input: Input,
  script: Script,
  changes: Partial<StepContext> = {},
): Promise<StepResult<Output> & EngineUnderTest & { chunks: string[] }> {
  const chunks: string[] = [];
  const onText = (text: string): void => void chunks.push(text);
  const result = await runAgainst(step, input, script, { context: { onText, ...changes } });
  expect(chunks.join('')).toBe(result.output.markdown);
  return { ...result, chunks };
}

/** The codes of warnings, in their order. */
export const codesOf = (warnings: readonly { code: string }[]): string[] => warnings.map(({ code }) => code);

/** What an answer is mended by: the last of what was said to the model at the second time. */
export const repairOf = ({ asked }: ModelServer): string => messagesOf(asked[1]).at(-1)?.content ?? '';

export function engineOn({
  maxConcurrentCalls = 8,
  timeoutMs = 600_000,
  firstByteMs = timeoutMs,
  inactivityMs = timeoutMs,
  baseUrl = '',
  cache,
  ...settings
}: EngineSettings & Pick<ModelEngineSettings, 'cache'>): Engine {
  return createModelEngine({
    name: 'openai',
    client: createOpenAiClient({
      firstByteMs,
      baseUrl,
      apiKey: new Secret(API_KEY),
      timeoutMs,
      inactivityMs,
    }),
    baseUrl,
    models: { fast: 'small', strong: 'large', critic: 'stern' },
    cache,
    cacheTtlMs: 3_600_000,
    pace: createRateLimiter({ maxConcurrentCalls }),
    prices: { small: { input: 1, output: 2 }, large: { input: 10, output: 20 } },
    contextTokens: {},
    promptSecret: 'the secret of the tests',
    ...settings,
  });
}

export function context(changes: Partial<StepContext> = {}): StepContext {
  return { runId: 'run-1', signal: new AbortController().signal, ...changes };
}

/** The messages of a request as the server got them. */
export function messagesOf(request: RecordedRequest | undefined): { role: string; content: string }[] {
  // The server recorded what the client sent, which is typed there.
  return (request?.body?.['messages'] ?? []) as { role: string; content: string }[];
}

export function promptText(request: RecordedRequest | undefined): string {
  return messagesOf(request)
    .map((message) => message.content)
    .join('\n');
}
