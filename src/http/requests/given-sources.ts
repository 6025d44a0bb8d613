import { z } from 'zod';
import { GivenRecord } from '../../contracts/source/source';
import type { FastifyRequest } from 'fastify';
import type { ReadableSources, SourcesOfOneKind } from '../../client/requested-sources';

export const MOST_LINKS = 1_000;

/** As the reader of sources tells addresses from paths, so that nothing here is ever a path. */
const Link = z
  .string()
  .max(4_000)
  .regex(/^https?:\/\/[^\s/]/i, 'an address begins with http:// or https://');

export const GivenSources = z.object({
  sources: z
    .array(GivenRecord.meta({ id: 'SourceRecord' }))
    .max(10_000)
    .optional(),
  links: z.array(Link).max(MOST_LINKS).optional().describe('addresses of pages, which are fetched'),
  skipInvalid: z.boolean().optional().describe('go on without sources that cannot be read'),
});
export type GivenSources = z.infer<typeof GivenSources>;

/** Null where there is none. */
export function readableSources(
  { sources = [], links = [], skipInvalid = false }: GivenSources,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
): (ReadableSources & { skipInvalid: boolean }) | null {
  const { uploaded } = request;
  const asker = askerOf(request);
  const files = uploaded === null ? [] : [{ paths: uploaded.paths, within: uploaded.folder }];
  const parts: SourcesOfOneKind[] = [
    ...(sources.length === 0 ? [] : [{ records: sources }]),
    ...(links.length === 0 ? [] : [{ paths: links }]),
    ...files.filter(({ paths }) => paths.length > 0),
  ];
  const [first] = parts;
  if (first === undefined) return null;
  return parts.length === 1 ? { ...first, skipInvalid, asker } : { parts, skipInvalid, asker };
}

/** For whom something is parsed: requests with one token share what they may have waiting. */
export function askerOf({
  caller,
  gone,
}: Pick<FastifyRequest, 'caller' | 'gone'>): NonNullable<ReadableSources['asker']> {
  return { id: caller.tokenId ?? caller.owner, signal: gone };
}
