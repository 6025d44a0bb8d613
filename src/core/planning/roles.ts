import { type Collection, spellingAt } from './collection';
import type { Phrase } from './phrases';

/** How often a phrase stands as what acts, as what is acted on, and as the setting, by the words around it. */
export interface Roles {
  cause: number;
  outcome: number;
  setting: number;
}

const INFLUENCE =
  /^(?:effects?|impacts?|influences?|efficacy|effectiveness|benefits?|role|use|effect-of|evaluation|comparison|consumption|intake|safety)$/;
const CHANGE =
  /^(?:changes?|increases?|decreases?|reductions?|improvements?|differences?|gains?|declines?|loss|losses|rises?|risk|measures?|levels?|markers?|symptoms?)$/;
const ACTS =
  /^(?:improv|increas|decreas|reduc|lower|enhanc|affect|attenuat|prevent|promot|alter|influenc|modulat|rais|stimulat|accelerat|impair|augment|suppress|facilitat|restor|elicit|induc|produc|prolong|strengthen|protect|reverse|reliev|mitigat)(?:e|es|ed|s|ing)?$/;

/** Counts the roles of phrases in titles (twice) and summaries: `effect of X on Y in Z`, `X improves Y`, `X for Y`, `X versus X`. */
export function countRoles(collection: Collection, phrases: readonly Phrase[]): Map<string, Roles> {
  const wanted = new Map(phrases.map((phrase) => [phrase.key, { cause: 0, outcome: 0, setting: 0 }]));
  const stems = new Set(phrases.flatMap((phrase) => phrase.stems));
  for (const source of collection.sources) {
    for (let run = 0; run < source.runs.length; run += 2) {
      const [runStart = 0, runEnd = 0] = source.runs.subarray(run, run + 2);
      const before = [3, 2, 1].map((back) => lowerAt(collection, source, runStart - back));
      const role = roleOf(
        before,
        lowerAt(collection, source, runEnd),
        runStart === 0,
        source.breaks[runEnd] ?? 2,
      );
      if (role === null) continue;
      const weight = runStart < source.titleLength ? 2 : 1;
      for (let start = runStart; start < runEnd; start++) {
        let key = '';
        for (let end = start + 1; end <= Math.min(runEnd, start + 4); end++) {
          const stem = source.stems[end - 1] ?? -1;
          if (!stems.has(stem)) break;
          key = key === '' ? String(stem) : `${key} ${stem}`;
          const roles = wanted.get(key);
          if (roles !== undefined) roles[role] += weight;
        }
      }
    }
  }
  return wanted;
}

function lowerAt(collection: Collection, source: Collection['sources'][number], at: number): string {
  return at < 0 ? '' : (spellingAt(collection, source, at)?.lower ?? '');
}

function roleOf(
  before: readonly string[],
  after: string,
  first: boolean,
  breakAfter: number,
): keyof Roles | null {
  const [third = '', second = '', last = ''] = before;
  const article = /^(?:the|a|an|daily|acute|oral)$/.test(last);
  const preposition = article ? second : last;
  const governor = article ? third : second;
  if (ACTS.test(after) && breakAfter !== 2) return 'cause';
  if (ACTS.test(preposition)) return 'outcome';
  if (preposition === 'of' && INFLUENCE.test(governor)) return 'cause';
  if (preposition === 'on') return 'outcome';
  if (preposition === 'in' && CHANGE.test(governor)) return 'outcome';
  if (
    preposition === 'in' ||
    preposition === 'among' ||
    (preposition === 'with' &&
      /^(?:patients|people|adults|women|men|children|individuals|subjects|participants|persons)$/.test(
        governor,
      ))
  )
    return 'setting';
  if (
    preposition === 'versus' ||
    preposition === 'vs' ||
    preposition === 'with' ||
    preposition === 'by' ||
    preposition === 'through'
  )
    return 'cause';
  if (preposition === 'for') return 'outcome';
  if (first && /^(?:for|in|on|and|versus|vs|to|as|with)$/.test(after)) return 'cause';
  return null;
}
