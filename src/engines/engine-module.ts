import type { EngineSettings } from '../config/schema';
import type { ResponseCache } from '../stores/response-cache';
import type { ThreadPool } from '../threads/pool';
import type { Embedder } from './embedder';
import type { Engine } from './engine';
import type { Paces } from './model/paid/pace';
import type { ModelClient } from './model/port/model-client';

/** What an engine may need of the process; the process closes it. */
export interface EnginePorts {
  threads: ThreadPool;
  responses: ResponseCache;
  paces: Paces;
  /** Made where it is asked for the first time. */
  promptSecret: () => Promise<string>;
}

export interface EngineModule {
  /** Null where the configuration lacks what the engine needs. */
  create(settings: EngineSettings, ports: EnginePorts): Promise<Engine | null>;
  /** Null where no model for embeddings is configured; absent where the engine asks no models. */
  createEmbedder?(settings: EngineSettings, ports: Pick<EnginePorts, 'paces'>): Embedder | null;
  /**
   * For a look at what the engine's steps would ask: no answer is kept. Null where no endpoint is configured; absent where
   * the engine asks none.
   */
  openClient?(settings: EngineSettings, limits?: ClientLimits): ModelClient | null;
}

/** Shorter times than those of the configuration, in milliseconds. */
export interface ClientLimits {
  timeoutMs: number;
  inactivityMs: number;
}
