import { append } from '../../core/values/append';
import { gatherDocuments, type GatheredDocuments, type PlacedPiece } from './gather-documents';
import { NO_PIECE } from './observed-piece';
import { readObservation } from './read-observation';
import { splitAttributions, type AttributedText } from './split-attributions';

export const FINAL_OUTPUT = 'Final output';

const MAX_PIECES = 2_000;

export interface ObservedMaterial extends GatheredDocuments {
  /** Those that say anything, “Used tool: x” among them; the final output is none. */
  observationCount: number;
}

/**
 * Reads what tools observed, in the forms of document 001, as JSON, or plain. Offsets are those of the documents that come of
 * it. What cannot be read is told with its observation's place, from 1; a problem of the final output has the place 0.
 */
export function readObservations(observations: readonly string[], finalOutput?: string): ObservedMaterial {
  const pieces: PlacedPiece[] = [];
  const problems: ObservedMaterial['problems'] = [];
  for (const [at, text] of observations.entries()) {
    const read = readObservation(text);
    const room = Math.max(0, MAX_PIECES - pieces.length);
    const observation = at + 1;
    append(
      pieces,
      read.pieces.slice(0, room).map((piece) => ({ ...piece, observation })),
    );
    append(
      problems,
      read.problems.map((message) => ({ observation, message })),
    );
    const over = read.pieces.length - room;
    if (over > 0)
      problems.push({
        observation,
        message: `${over} of its texts are beyond the ${MAX_PIECES.toLocaleString('en')} that are read`,
      });
  }
  const final = finalOutput?.trim() ?? '';
  if (final !== '') append(pieces, splitAttributions(final).map(ofFinalOutput));
  const gathered = gatherDocuments(pieces);
  return {
    ...gathered,
    problems: [...problems, ...gathered.problems],
    observationCount: observations.filter((text) => text.trim() !== '').length,
  };
}

/** What an agent says of a file or an address is that one's; only what it attributes to nothing is its own. */
function ofFinalOutput({ source, ...part }: AttributedText): PlacedPiece {
  return { ...NO_PIECE, ...part, source, title: source === null ? FINAL_OUTPUT : null, observation: 0 };
}
