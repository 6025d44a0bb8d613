import { stemOf } from '../../language/words';
import { coveredBy } from '../topic/umbrella-terms';

const COMPOUND =
  /\b([\p{L}\p{N}]+)-(?:based|related|led|delivered|focused|oriented|driven|specific|wide|type)\b/giu;

/**
 * A question with compounds reduced to what they are about: `school-based programmes` asks for `school programmes`, which
 * sources say in many ways. One whose other names are known, such as `web-based`, stays.
 */
export function withoutCompounds(question: string): string {
  return question.replace(COMPOUND, (compound: string, about: string) =>
    coveredBy(stemOf(compound.toLowerCase())).size > 0 ? compound : about,
  );
}
