import type { SchemaRung } from './model-client';
import type { ModelFailure } from './model-failure';

/**
 * Remembers for each model of one endpoint which rung works. It goes down when the endpoint rejects the schema, and for
 * nothing else that fails.
 */
export interface SchemaLadder {
  /** The rung to ask on. */
  rungFor(model: string): SchemaRung;
  /** A request on this rung failed with `schema-rejected`. */
  rejected(model: string, rung: SchemaRung): void;
  /** The endpoint accepted the schema on this rung, and the complete answer was no JSON or did not keep it. Twice in a row is a step down. */
  ignored(model: string, rung: SchemaRung): void;
  /** The answer on this rung kept the schema. */
  worked(model: string, rung: SchemaRung): void;
  /**
   * A request on this rung failed with anything at all (`schema-rejected` included). A 500 without an explanation is
   * tried one rung lower next: where that works twice and the higher rung does not, it was the schema; else the server.
   */
  failed(model: string, rung: SchemaRung, failure: ModelFailure): void;
  /** The endpoint or the model changed: ask from the top again. */
  forget(model: string): void;
}

export function createSchemaLadder(): SchemaLadder {
  throw new Error('to come');
}
