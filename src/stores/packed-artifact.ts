import type { ArtifactRef } from '../contracts/run/artifact';
import { artifactRef } from './artifact-ref';
import { CorruptArtifactError } from './errors/corrupt-artifact-error';
import { unpackText } from './packed-text';

/** The text of an artifact. Rejects with `CorruptArtifactError` where the bytes are none, or are another text's. */
export async function unpackArtifact(ref: ArtifactRef, packed: Buffer): Promise<string> {
  const text = await unpackText(packed).catch((cause: unknown) => {
    throw new CorruptArtifactError(ref, { cause });
  });
  if (artifactRef(text) !== ref) throw new CorruptArtifactError(ref);
  return text;
}

/** Whether bytes that were kept are the text: those that are damaged are to be written anew. */
export async function isPackedFrom(packed: Buffer, text: string): Promise<boolean> {
  return (await unpackText(packed).catch(() => null)) === text;
}
