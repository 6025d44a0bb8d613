import type { Config } from '../config/config';
import type { EngineSettings } from '../config/schema';
import { engineNames, traitsOf } from '../contracts/run/engines';
import type { EngineName } from '../contracts/run/run';
import type { Embedder } from '../engines/embedder';
import type { Engine } from '../engines/engine';
import type { ClientLimits, EngineModule } from '../engines/engine-module';
import { extractiveModule } from '../engines/extractive/module';
import type { Paces } from '../engines/model/paid/pace';
import type { ModelClient } from '../engines/model/port/model-client';
import { openAiModule } from '../engines/openai/module';
import type { Stores } from '../stores/stores';
import type { ThreadPool } from '../threads/pool';

export type Engines = Partial<Record<EngineName, Engine>>;

const engineModules: Readonly<Record<EngineName, EngineModule>> = {
  extractive: extractiveModule,
  openai: openAiModule,
};

interface EngineParts {
  threads: ThreadPool;
  stores: Pick<Stores, 'responses' | 'secrets'>;
  paces: Paces;
}

export async function createEngines(config: EngineSettings, parts: EngineParts): Promise<Engines> {
  const engines: Engines = {};
  for (const name of engineNames) {
    const engine = await createEngine(name, config, parts);
    if (engine !== null) engines[name] = engine;
  }
  return engines;
}

/** One of them; null where the configuration lacks what it needs. */
export function createEngine(
  name: EngineName,
  config: EngineSettings,
  { threads, stores, paces }: EngineParts,
): Promise<Engine | null> {
  return engineModules[name].create(config, {
    threads,
    paces,
    responses: stores.responses,
    promptSecret: () => stores.secrets.promptSecret(),
  });
}

/** Who embeds texts, whichever engine carries out a run; null where no model for that is configured. */
export function createEmbedder(config: EngineSettings, ports: { paces: Paces }): Embedder | null {
  for (const name of engineNames) {
    const embedder = engineModules[name].createEmbedder?.(config, ports) ?? null;
    if (embedder !== null) return embedder;
  }
  return null;
}

export function someAskModels(engines: Engines): boolean {
  return engineNames.some((name) => engines[name] !== undefined && traitsOf(name).asksModels);
}

/** A client for a look at the endpoint: that of the engine that is chosen, else the first that is configured; or null. */
export function openModelClient(
  config: EngineSettings & Pick<Config, 'engine'>,
  limits?: ClientLimits,
): ModelClient | null {
  for (const name of [config.engine, ...engineNames]) {
    const client = engineModules[name].openClient?.(config, limits) ?? null;
    if (client !== null) return client;
  }
  return null;
}
