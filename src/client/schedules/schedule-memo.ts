import { z } from 'zod';
import { RunKind } from '../../contracts/kinds';

export const ScheduleMemo = z.object({
  kind: RunKind,
  question: z.string(),
  engine: z.string(),
  paths: z.array(z.string()),
  times: z.union([z.object({ cron: z.string(), timeZone: z.string() }), z.object({ everyMs: z.number() })]),
  /** Under what name its log and contents are kept. */
  keptAs: z.string(),
  owner: z.string().optional(),
});
export type ScheduleMemo = z.infer<typeof ScheduleMemo>;

/** The server takes no empty note. */
export const NO_NOTE = '-';

/** What somebody has noted of a schedule; null where nobody has. */
export function notedOf(note: string | undefined): string | null {
  return note === undefined || note === '' || note === NO_NOTE ? null : note;
}
