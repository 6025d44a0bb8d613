import { z } from 'zod';
import { InvalidRequestError } from '../../client/run-errors';
import { EngineName } from '../../contracts/run/run';
import { MOST_LINKS } from './given-sources';
import { AskedRun } from './run-request';

const APPROVAL_MS = 24 * 3_600_000;

const MOST_LINKS_CHARS = 1_000_000;

/** As a browser sends it: what is left empty is there, and empty. */
export const RunForm = z.object({
  kind: z.enum(['report', 'answer']),
  question: z.string(),
  links: z.string().max(MOST_LINKS_CHARS).default(''),
  text: z.string().default(''),
  engine: z.union([z.literal(''), EngineName]).default(''),
  maxCostUsd: z.string().max(30).default(''),
  approval: z.string().optional(),
});

export function askedOf({
  kind,
  question,
  links,
  text,
  engine,
  maxCostUsd,
  approval,
}: z.infer<typeof RunForm>): AskedRun {
  const addresses = links.split(/\s+/).filter((link) => link !== '');
  if (addresses.length > MOST_LINKS)
    throw new InvalidRequestError([`links: there are more than ${MOST_LINKS.toLocaleString('en')}`]);
  const asked = AskedRun.safeParse({
    kind,
    question: question.trim(),
    ...(addresses.length === 0 ? {} : { links: addresses }),
    ...(text.trim() === '' ? {} : { sources: [{ title: titleOf(text), content: text }] }),
    ...(engine === '' ? {} : { engine }),
    ...(maxCostUsd === '' ? {} : { budget: { maxCostUsd: Number(maxCostUsd) } }),
    ...(kind === 'report' && approval !== undefined ? { approval: { timeoutMs: APPROVAL_MS } } : {}),
  });
  return taken(asked);
}

/** What a form comes to, or what is wrong with it, field by field. */
export function taken<Value>(asked: z.ZodSafeParseResult<Value>): Value {
  if (asked.success) return asked.data;
  throw new InvalidRequestError(
    asked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  );
}

const TITLE_CHARS = 80;

function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.replace(/^#+\s*/, '').slice(0, TITLE_CHARS);
}
