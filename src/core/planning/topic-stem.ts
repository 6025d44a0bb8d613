import { stemOf } from '../../language/words';

/** The stem under which spellings of one word meet: `randomised` and `randomized`, `fibre` and `fiber`, `program` and `programme`. */
export function topicStem(lower: string): string {
  const folded = lower
    .replace(/’/g, "'")
    .replace(/is(e|es|ed|ing|er|ers|ation|ations)$/, 'iz$1')
    .replace(/programme(s?)$/, 'program$1')
    .replace(/behaviour/g, 'behavior')
    .replace(/(fib|cent|lit)re(s?)$/, '$1er$2')
    .replace(/aem(i)/g, 'em$1')
    .replace(/oed/g, 'ed')
    .replace(/paed/g, 'ped');
  return stemOf(folded);
}
