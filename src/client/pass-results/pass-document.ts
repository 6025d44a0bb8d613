import type { CataloguedSource, SourceCatalogue } from '../../contracts/source/source';
import { passNumber } from '../../core/run/pass-messages';
import { missingSections, type PassResult, type PassSurroundings } from './pass-results';

export interface PassDocument {
  id: string;
  pass: { number: number; name: PassResult['pass'] };
  /** False for a deep dive that was not finished: some of the sections have no findings. */
  complete: boolean;
  result: PassResult['result'];
  /** The sections' titles by id; empty before there is an outline. */
  sections: Record<string, string>;
  sources: Record<string, SourceFacts>;
}

type SourceFacts = Pick<CataloguedSource, 'title' | 'author' | 'site' | 'publishedAt' | 'url' | 'quality'>;

export function passDocument(runId: string, left: PassResult, surroundings: PassSurroundings): PassDocument {
  const { catalogue, outline } = {
    ...surroundings,
    ...(left.pass === 'gather' ? { catalogue: left.result } : {}),
    ...(left.pass === 'overview' ? { outline: left.result } : {}),
  };
  return {
    id: runId,
    pass: { number: passNumber(left.pass), name: left.pass },
    complete: missingSections(left, surroundings).length === 0,
    result: left.result,
    sections: Object.fromEntries((outline?.sections ?? []).map(({ id, title }) => [id, title])),
    sources: factsOf(catalogue),
  };
}

function factsOf(catalogue: SourceCatalogue | null): Record<string, SourceFacts> {
  return Object.fromEntries(
    (catalogue?.sources ?? []).map(({ id, title, author, site, publishedAt, url, quality }) => [
      id,
      { title, author, site, publishedAt, url, quality },
    ]),
  );
}
