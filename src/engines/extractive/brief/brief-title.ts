import { stripUnsafe } from '../../../core/text/untrusted-text';
import { clip } from '../../../core/writing/attribution';
import { capitalised } from '../../../core/writing/within-sentence';
import questionWords from '../../../language/data/question-words.json';
import { splitSentences } from '../../../language/sentences';
import { STOP_WORDS } from '../../../language/words';

const MAX_CHARS = 140;
const LEAST_OF_IT = 0.4;
const VERBS = new RegExp(
  `\\b(?:${questionWords.effect.verbs.filter((verb) => !verb.includes(' ')).join('|')})\\b`,
  'gi',
);
const NAMED = /^(?:what|which) (?:is|are|was|were) (?=the )/i;
const DOES_TO = /^what (do|does|did) (.+?) do (?=(?:to|for) )/i;
const HELPED = /^(?:(how|why|when|where) )?(do|does|did) (.+)$/i;

/**
 * The question as a heading says it: `How caffeine affects sleep`, `Whether X lowers Y`, `The effect of X on Y`. Where its words
 * cannot be put in that order for certain it stands as it was asked, with its mark.
 */
export function titleOfQuestion(question: string): string {
  const folded = stripUnsafe(question).replace(/\s+/g, ' ').trim();
  const [first] = splitSentences(folded);
  const whole = first?.text ?? folded;
  const asked = whole.replace(/[?？.:;,\s]+$/, '');
  const title = withinLength(statementOf(asked));
  const mark = title === asked ? (/[?？](?=[.:;,\s]*$)/.exec(whole)?.[0] ?? '') : '';
  return asked === '' ? question : `${capitalised(title)}${mark}`;
}

function statementOf(asked: string): string {
  if (NAMED.test(asked)) return asked.replace(NAMED, '');
  const does = DOES_TO.exec(asked);
  if (does !== null)
    return `What ${does[2] ?? ''} ${inForm('do', does[1] ?? '')} ${asked.slice(does[0].length)}`;
  const [, asking = 'Whether', auxiliary = '', rest = ''] = HELPED.exec(asked) ?? [];
  const [verb, ...others] = rest.matchAll(VERBS);
  if (verb === undefined || others.length > 0) return asked;
  const subject = rest.slice(0, verb.index).trim();
  // A verb behind nothing, or behind “an” or “of”, is a noun or an adjective here.
  if (subject === '' || STOP_WORDS.has(subject.split(' ').at(-1)?.toLowerCase() ?? '')) return asked;
  return `${asking} ${subject} ${inForm(verb[0], auxiliary)}${rest.slice(verb.index + verb[0].length)}`;
}

/** A long one ends with a clause where it can. */
function withinLength(title: string): string {
  if (title.length <= MAX_CHARS) return title;
  const end = title.slice(0, MAX_CHARS).search(/[,;:][^,;:]*$/);
  return end > MAX_CHARS * LEAST_OF_IT ? title.slice(0, end) : clip(title, MAX_CHARS);
}

/** A regular verb as it stands without its auxiliary. */
function inForm(verb: string, auxiliary: string): string {
  if (auxiliary.toLowerCase() === 'do') return verb;
  if (auxiliary.toLowerCase() === 'does') return verb === 'do' ? 'does' : `${verb}s`;
  return verb === 'do' ? 'did' : `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`;
}
