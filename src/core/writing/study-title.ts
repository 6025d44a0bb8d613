import { namesDesign } from '../study/design';
import { isGeneric } from '../topic/generic-words';
import { stemSet } from '../topic/question-concepts';
import { speaksOfGroups } from '../worth/speaks-of-groups';
import { clip } from './attribution';

/** A title is quoted up to here. */
const MAX_CHARS = 150;
/** A shorter title tells nothing of a study. */
const LEAST_TELLING = 3;
/** A quote that shares this many telling words with its source's title says itself what was studied. */
const ENOUGH_SHARED = 3;
/** One that speaks of `the intervention group` has to share this part of them to say which. */
const SHARE_BESIDE_GROUPS = 0.7;

/**
 * The title of the quote's source, where the quote does not say by itself what was studied; null where it does. What the
 * title says of the design is left out: it is told apart.
 */
export function titleToTell(quote: string, title: string): string | null {
  const own = stemSet(quote);
  const telling = [...stemSet(title)].filter((stem) => stem.length > 2 && !isGeneric(stem));
  if (telling.length < LEAST_TELLING) return null;
  const shared = telling.filter((stem) => own.has(stem)).length;
  const enough = speaksOfGroups(quote)
    ? SHARE_BESIDE_GROUPS * telling.length
    : Math.min(ENOUGH_SHARED, telling.length);
  return shared >= enough ? null : clip(withoutDesign(title), MAX_CHARS);
}

function withoutDesign(title: string): string {
  const plain = title.replace(/\s*[[(](?:ISRCTN|NCT|ACTRN)[^\])]*[\])]/g, '').trim();
  const [main = '', ...rest] = plain.split(/(?<=[\p{L}\d)”"’])[:.?] (?=\P{Ll}|an? |the |results|findings)/u);
  return rest.length === 1 && namesDesign(rest[0] ?? '') && main.length > 20 ? main : plain;
}
