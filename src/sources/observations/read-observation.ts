import { append } from '../../core/values/append';
import { nameAndPages, originOf, pagesOf, similarityOf } from './observed-fields';
import { NO_PIECE, type ObservedPiece, type ReadObservation } from './observed-piece';
import { splitAttributions } from './split-attributions';
import { splitBlocks, type ObservationBlock } from './split-blocks';
import { noContent, noSimilarity, structuredObservation } from './structured-observation';

/** Of one observation so many characters are read: 400 pages of what a tool printed. Whole documents are sources. */
const MAX_CHARS = 1_000_000;

/** The texts that a tool's output holds, with what it says of each. “Used tool: x” holds none. */
export function readObservation(given: string): ReadObservation {
  const cut = `it has ${given.length.toLocaleString('en')} characters; the first ${MAX_CHARS.toLocaleString('en')} are read`;
  const problems = given.length > MAX_CHARS ? [cut] : [];
  const structured = structuredObservation(given);
  if (structured !== null) {
    const short = structured.pieces.map((piece) => ({ ...piece, text: piece.text.slice(0, MAX_CHARS) }));
    return { pieces: short, problems: [...problems, ...structured.problems] };
  }
  const text = given.slice(0, MAX_CHARS);
  const pieces: ObservedPiece[] = [];
  for (const block of splitBlocks(text)) {
    const { kind, fields, content } = block;
    const own = text.slice(content.start, content.end);
    const { similarity } = fields;
    if (kind === 'document' && own === '') problems.push(noContent(fields.source ?? fields.title ?? null));
    else if (kind === 'document' && own !== '') pieces.push({ ...described(block), text: own });
    else if (own !== '')
      append(
        pieces,
        splitAttributions(own).map((part) => ({ ...NO_PIECE, ...part })),
      );
    if (similarity !== undefined && similarityOf(similarity) === null)
      problems.push(noSimilarity(similarity));
  }
  return { pieces, problems };
}

function described({ fields }: ObservationBlock): Omit<ObservedPiece, 'text'> {
  const named = fields.source === undefined ? null : nameAndPages(fields.source);
  return {
    ...NO_PIECE,
    source: named === null || named.name === '' ? null : named.name,
    title: fields.title ?? null,
    url: fields.url ?? null,
    pages: pagesOf(fields.page ?? '') ?? named?.pages ?? null,
    similarity: similarityOf(fields.similarity ?? ''),
    origin: originOf(fields.origin ?? ''),
  };
}
