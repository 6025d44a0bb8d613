import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ActivityPorts } from '../../shared/ports';
import { openSectionStream } from '../../shared/section-stream';
import { PART_WRITER } from './part-writer';
import { readParts } from './told-before';

export interface TellPartsInput {
  runId: string;
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

/** Brings the log to the text of these parts, so that whoever follows a run has what its brief has. */
export async function tellParts(ports: ActivityPorts, { runId, drafts }: TellPartsInput): Promise<void> {
  for (const { partId, draft } of await readParts(ports, drafts)) {
    const stream = await openSectionStream(ports.events, runId, partId, PART_WRITER);
    await stream.finish(draft.markdown);
  }
}
