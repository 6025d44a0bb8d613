import { SCHEMA_RUNGS, type SchemaRung } from './port/model-client';
import type { ModelFailure } from './port/model-failure';

/**
 * Remembers for each model of one endpoint which rung works. It goes down when the endpoint rejects the schema, and for
 * nothing else that fails.
 */
export interface SchemaLadder {
  /** The rung to ask on. */
  rungFor(model: string): SchemaRung;
  /** A request on this rung failed with `schema-rejected`. */
  rejected(model: string, rung: SchemaRung): void;
  /**
   * The endpoint took the schema on this rung, and the complete answer was no JSON or did not keep it. The second time
   * in a row is a step down: a lower rung says more in the prompt.
   */
  ignored(model: string, rung: SchemaRung): void;
  /** The answer on this rung kept the schema. */
  worked(model: string, rung: SchemaRung): void;
  /**
   * A request on this rung failed, with anything at all (`schema-rejected` included: `rejected` is not needed beside
   * it). After a 500 without an explanation the next request goes one rung lower, and the one after a success there
   * goes back up: where the higher rung fails again, it was the schema, else the server. Tell it of success, too.
   */
  failed(model: string, rung: SchemaRung, failure: ModelFailure): void;
  /** The endpoint or the model changed: ask from the top again. */
  forget(model: string): void;
}

/** How often in a row an endpoint may ignore a schema before it is asked otherwise: once can be a slip of the model. */
const IGNORED_LIMIT = 2;

/** How often a rung may fail without an explanation, and a lower one work, before that is the explanation. */
const SUSPICIOUS_LIMIT = 2;

interface Standing {
  /** The place on the ladder that is known to be the highest that may work. */
  settled: number;
  ignored: number;
  /** How often the settled rung failed without an explanation and a lower one then worked. */
  suspicious: number;
  /** How many rungs lower the next request goes, because what is above just failed without an explanation. */
  lower: number;
  /** Something has worked on the settled rung. */
  proven: boolean;
}

/** Where the rung of each model is kept; null for the highest. */
export interface RungMemory {
  get(model: string): SchemaRung | null;
  set(model: string, rung: SchemaRung | null): void;
}

export function createSchemaLadder(memory?: RungMemory): SchemaLadder {
  const standings = new Map<string, Standing>();

  const settle = (model: string, place: number): void => {
    standings.set(model, settledAt(place));
    memory?.set(model, place === 0 ? null : rungAt(place));
  };

  const standingOf = (model: string): Standing => {
    const known = standings.get(model);
    if (known) return known;
    const remembered = memory?.get(model) ?? null;
    const fresh = settledAt(remembered === null ? 0 : SCHEMA_RUNGS.indexOf(remembered));
    standings.set(model, fresh);
    return fresh;
  };

  const stepDown = (model: string, rung: SchemaRung): void => {
    const standing = standingOf(model);
    const place = SCHEMA_RUNGS.indexOf(rung);
    // Calls run at the same time, and the news of a rung that has been left comes late.
    if (place < standing.settled || place + 1 >= SCHEMA_RUNGS.length) return;
    if (place === standing.settled) settle(model, place + 1);
    // Nothing is known of the rung above but that it failed once.
    else standing.lower = place + 1 - standing.settled;
  };

  const ladder: SchemaLadder = {
    rungFor: (model) => {
      const { settled, lower } = standingOf(model);
      return rungAt(settled + lower);
    },

    rejected: stepDown,

    ignored: (model, rung) => {
      const standing = standingOf(model);
      if (rung !== rungAt(standing.settled)) return;
      standing.ignored += 1;
      if (standing.ignored >= IGNORED_LIMIT) stepDown(model, rung);
    },

    worked: (model, rung) => {
      const standing = standingOf(model);
      const place = SCHEMA_RUNGS.indexOf(rung);
      if (place <= standing.settled) {
        // One step's schema may work where another's does not, so what is being tried goes on.
        Object.assign(standing, { ignored: 0, suspicious: 0, proven: true });
        return;
      }
      if (standing.lower === 0) return;
      standing.lower = 0;
      standing.suspicious += 1;
      if (standing.suspicious >= SUSPICIOUS_LIMIT) settle(model, place);
    },

    failed: (model, rung, failure) => {
      if (failure.kind === 'schema-rejected') {
        stepDown(model, rung);
        return;
      }
      const standing = standingOf(model);
      const place = SCHEMA_RUNGS.indexOf(rung);
      // Of calls at the same time, the first one's failure counts.
      if (place === standing.settled + standing.lower) {
        const goesOn = isUnexplained(failure) && place + 1 < SCHEMA_RUNGS.length;
        standing.lower = goesOn ? standing.lower + 1 : 0;
      }
      // Nothing of a schema is left to reject, so what was rejected above may not have been the schema.
      if (rung === 'prompt-only' && failure.kind === 'bad-request' && !standing.proven) settle(model, 0);
    },

    forget: (model) => settle(model, 0),
  };
  return ladder;
}

function isUnexplained(failure: ModelFailure): boolean {
  return failure.kind === 'server-error' && (failure.status === 500 || failure.status === 501);
}

function settledAt(place: number): Standing {
  return { settled: place, ignored: 0, suspicious: 0, lower: 0, proven: false };
}

function rungAt(place: number): SchemaRung {
  return SCHEMA_RUNGS[Math.min(place, SCHEMA_RUNGS.length - 1)] ?? 'prompt-only';
}
