import { namesDesign } from '../study/design';
import { isGeneric } from '../topic/generic-words';
import { stemSet } from '../topic/question-concepts';
import { clip } from './attribution';

/** A title is quoted up to here. */
const MAX_CHARS = 220;
/** A shorter title tells nothing of a study. */
const LEAST_TELLING = 3;
/** A sentence that has this share of a title's telling words says by itself what was studied. */
const ENOUGH_SHARED = 0.7;

/**
 * The title of a quote's source, where `said` (the quote, with what is told of the study) leaves out whom or what it names;
 * null where it does not. What the title says of the design is left out: it is told apart.
 */
export function titleToTell(said: string, title: string): string | null {
  const own = stemSet(said);
  const plain = withoutDesign(title);
  const telling = [...stemSet(plain)].filter((stem) => stem.length > 2 && !isGeneric(stem));
  if (telling.length < LEAST_TELLING) return null;
  const shared = telling.filter((stem) => own.has(stem)).length;
  return shared >= ENOUGH_SHARED * telling.length ? null : clip(plain, MAX_CHARS);
}

function withoutDesign(title: string): string {
  const plain = title.replace(/\s*[[(](?:ISRCTN|NCT|ACTRN)[^\])]*[\])]/g, '').trim();
  const [main = '', ...rest] = plain.split(
    /(?<=[\p{L}\d)”"’])(?:[:.?] | – )(?=\P{Ll}|an? |the |results|findings)/u,
  );
  return rest.length === 1 && namesDesign(rest[0] ?? '') && main.length > 20 ? main : plain;
}
