import type { FastifyInstance, FastifyBaseLogger, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ColligateClient } from '../client/colligate-client';
import type { RunProgress } from '../client/run-handle';
import type { Scope } from '../contracts/access/token';
import type { Verifier } from '../app/open-verifier';
import type { Config } from '../config/config';
import type { AccessStore } from '../stores/access-store';
import { createRunLimit, type Limits, type RunLimit } from './access/limits';
import { sharedLooks } from './following/shared-looks';

export interface FaceParts {
  client: ColligateClient;
  access: AccessStore;
  /** What requests leave out is as it has it. */
  config: Config;
  verifier: Verifier;
  now: () => Date;
  /** Why runs cannot be started or carried out now, as sentences; empty where they can. */
  whyNotReady: () => Promise<string[]>;
}

export interface Face extends FaceParts {
  /** A run's own word, asked for so often that all who ask at once share it. */
  progress(runId: string): Promise<RunProgress>;
  limits: Limits;
  runLimit: RunLimit;
}

export function faceOf<Parts extends FaceParts>(parts: Parts, limits: Limits): Parts & Face {
  return {
    ...parts,
    progress: sharedLooks((runId) => parts.client.run(runId).progress()),
    limits,
    runLimit: createRunLimit(parts.client, limits.runs),
  };
}

export interface Caller {
  /** The token's id; null for whoever is let in without one. */
  tokenId: string | null;
  owner: string;
  scope: Scope;
  byCookie: boolean;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type Routes = (app: App, face: Face) => void;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller must be allowed; `open` for what anybody may know. A route without it is refused at the start. */
    scope?: Scope | 'open';
    /** Whether people look at it: refusals are pages, and whoever is not let in is asked to sign in. */
    page?: true;
    stream?: true;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Aborts when whoever asks is there no more. */
    gone: AbortSignal;
  }
}
