import { z } from 'zod';
import { Owner } from '../access/token';
import { ArtifactRef } from './artifact';
import { Parked, Waiting } from './outages';
import { PassName, PassRefs } from '../kinds';
import { RunStatus, Usage } from './run';

/** The answer to the `usage` query. */
export const RunUsage = z.object({ total: Usage, byPass: z.partialRecord(PassName, Usage) });
export type RunUsage = z.infer<typeof RunUsage>;

/** The answer to the `outline` query: the outline in short; the whole of it lies in the content store under `ref`. */
export const OutlineAnswer = z.object({
  ref: ArtifactRef,
  sections: z.array(z.object({ id: z.string(), sources: z.int() })),
});
export type OutlineAnswer = z.infer<typeof OutlineAnswer>;

/** What a run's memo says of it, so that it can be read while no worker answers queries. */
export const RunMemo = z.object({
  question: z.string(),
  /** ISO 8601; the start of the first history, where the run went on in further ones. */
  startedAt: z.string(),
  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  passRefs: PassRefs,
  usage: RunUsage,
  /** As it was told last; the run itself knows when it tries next. */
  waiting: Waiting.nullable().optional(),
  parked: Parked.nullable().optional(),

  schedule: z.string().optional(),
  /** Whose it is, where it was started over HTTP. */
  owner: Owner.optional(),
});
export type RunMemo = z.infer<typeof RunMemo>;
