import data from '../data/citation-words.json';
import { MONTH } from '../../language/months';

/** A work as it is named in the text. */
export interface AuthorYear {
  names: string[];
  year: string;
  /** The `a` of `2019a`; empty where it has none. */
  letter: string;
  /** Further authors are told of, or two are named: no place or thing is named so. */
  isTelling: boolean;
}

const PARTICLES: ReadonlySet<string> = new Set(data.particles);
const YEAR_AT_END =
  /^(.*?)[\s,，:]*\b((?:1[6-9]|20)\d{2})([a-z]?)(?:\s*[,，]\s*((?:1[6-9]|20)\d{2})[a-z]?)*(?:\s*[,，:]\s*\S.{0,20})?$/su;
const OTHERS = new RegExp(
  String.raw`[\s,，]*(?:${[...data.others]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', '\\.'))
    .join('|')})[,，\s]*$`,
  'iu',
);
const BEFORE = new RegExp(
  `^(?:(?:${[...data.before]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('.', '\\.'))
    .join('|')})[\\s,]*)+(?=[\\p{Lu}\\p{Script=Han}])`,
  'iu',
);
const MONTH_ALONE = new RegExp(String.raw`^(?:\d{1,2}\s+)?(?:${MONTH})\.?(?:\s+\d{1,2})?$`, 'i');
const MOST_WORDS = 6;
const HAN_NAME = /^[\p{Script=Han}·・]{2,12}$/u;

/** `Smith, 2019`, `Smith & Jones 2020a`, `see Smith et al., 2019, p. 4`, `张三等，2019`; null for anything else. */
export function authorYear(written: string): AuthorYear | null {
  const plain = written.trim().replace(BEFORE, '');
  const match = YEAR_AT_END.exec(plain);
  if (match === null) return null;
  const [, before = '', year = '', letter = ''] = match;
  const others = OTHERS.test(before);
  const names = before
    .replace(OTHERS, '')
    .split(/\s*(?:[,，、&]|\band\b|\bund\b|\bet\b|\by\b|和|与)\s*/u)
    .map((name) => name.trim())
    .filter((name) => name !== '' && !/^(?:\p{Lu}\.[\s-]?)+$/u.test(name));
  if (names.length === 0 || names.length > 8 || !names.every(isName)) return null;
  const isJoined = /&|\band\b|\bund\b|和|与/u.test(before);
  return {
    names,
    year,
    letter,
    isTelling: others || (isJoined && names.length > 1 && names.every((name) => !/\s/.test(name))),
  };
}

function isName(name: string): boolean {
  if (HAN_NAME.test(name)) return true;
  if (MONTH_ALONE.test(name) || /[\d"“”()%$€£]/.test(name)) return false;
  const words = name.split(/\s+/);
  if (words.length > MOST_WORDS || !/\p{Lu}/u.test(name)) return false;
  return words.every((word) => /^['’]?\p{Lu}/u.test(word) || PARTICLES.has(word.toLowerCase()));
}
