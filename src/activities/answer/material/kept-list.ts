import { z, ZodError } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ContentStore } from '../../../stores/content-store';
import { MissingArtifactError, readArtifact } from '../../shared/artifacts';

/** What a reference led to, which may be nothing, or something else. */
export interface KeptList<Item> {
  items: Item[];
  problems: string[];
}

/** A list that a caller stored and names by its reference, held for the run; `what` says what it should list. */
export async function keptList<Item>(
  content: ContentStore,
  runId: string,
  {
    name,
    ref,
    item,
    what,
  }: { name: string; ref: ArtifactRef | undefined; item: z.ZodType<Item>; what: string },
): Promise<KeptList<Item>> {
  if (ref === undefined) return { items: [], problems: [] };
  try {
    const items = await readArtifact(content, ref, z.array(item));
    await content.hold(runId, [ref]);
    return { items, problems: [] };
  } catch (error) {
    const named = `${name} is ${ref}`;
    if (error instanceof MissingArtifactError) return { items: [], problems: [notKept(named)] };
    if (error instanceof ZodError || error instanceof SyntaxError)
      return { items: [], problems: [`${named}, which is no list of ${what}`] };
    throw error;
  }
}

/** The text of the same kind; undefined where there is none. */
export async function keptText(
  content: ContentStore,
  { name, ref }: { name: string; ref: ArtifactRef | undefined },
): Promise<{ text: string | undefined; problems: string[] }> {
  if (ref === undefined) return { text: undefined, problems: [] };
  const text = await content.retrieve(ref);
  return text === null
    ? { text: undefined, problems: [notKept(`${name} is ${ref}`)] }
    : { text, problems: [] };
}

function notKept(named: string): string {
  return `${named}, which is not in this worker's content store`;
}
