import { acronymsIn } from '../worth/acronyms';
import { assessSentence } from '../worth/assess-sentence';
import type { Genre, SentenceKind } from '../worth/kinds';
import type { SourceSentence } from '../worth/source-sentences';

/**
 * What a sentence is to its source: a result worth reporting; a statement on its own study, which nobody would ask for but
 * others may deny; or none of its own.
 */
export type Standing = 'result' | 'own-study' | 'none';

/** Why such a sentence is not worth reporting, and where it stands. */
const NOT_WORTH_REPORTING: ReadonlySet<SentenceKind> = new Set(['no-result', 'process']);
const TELLS_RESULTS: ReadonlySet<SourceSentence['zone']> = new Set([
  'abstract',
  'results',
  'conclusions',
  'unknown',
]);
const POINTER =
  /\s*\((?:see )?(?:data not shown|not shown|(?:supplementary |additional )?(?:tables?|figs?\.?|figures?)\b[^()]*)\)/gi;
const CONNECTIVE =
  /^(?:however|moreover|furthermore|in addition|additionally|also|indeed|similarly|likewise|nevertheless|nonetheless|interestingly|(?:more )?importantly|finally|thus|therefore|hence|consequently|accordingly|overall|notably|surprisingly|conversely|in contrast|by contrast|on the other hand|as expected|in particular|specifically|yet|but|and|in sum|in summary|in brief),? /i;

/** Its abbreviations do not count against it, nor does what joins it to its neighbours or points at a table. */
export function standingOf({ text, zone, inAbstract }: SourceSentence, genre: Genre): Standing {
  const bare = text.replace(POINTER, '').replace(CONNECTIVE, '');
  const { worth, kind } = assessSentence(bare.charAt(0).toUpperCase() + bare.slice(1), {
    zone,
    inAbstract,
    genre,
    knownAcronyms: new Set(acronymsIn(bare)),
  });
  if (worth > 0) return 'result';
  return NOT_WORTH_REPORTING.has(kind) && TELLS_RESULTS.has(zone) ? 'own-study' : 'none';
}
