import { citationMark } from '../text/citation-marks';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { distinctBy } from '../values/distinct-by';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';
import { asOfNote } from './as-of';
import { type Attributable, type Attribution, attributionOf } from './attribution';
import { moreSources } from './count';
import { inert, quotation } from './quotation';
import { titleToTell } from './title-to-tell';
import { capitalised } from './within-sentence';

/** How many agreeing sources are quoted beside the first; the others are cited without a quote. */
const QUOTED_AGREEMENTS = 2;

/** Where a claim stands: how many came before it, whether its source was introduced, whether it contradicts the one before. */
export interface ClaimPlace {
  turn: number;
  introduced: boolean;
  contrast: boolean;
}

/**
 * A finding as prose: who reports it, where and when, as the sources' own metadata tell, the quote word for word, and the sources
 * that agree each with its own quote. How far it can be relied on is told of the whole text (`told-confidence.ts`).
 */
export function claimSentence(
  finding: Finding,
  sources: ReadonlyMap<string, Attributable>,
  place: ClaimPlace,
): string {
  const [first, ...further] = distinctBy(finding.evidence, ({ sourceId }) => sourceId);
  if (first === undefined) return '';
  // What says a part of it agrees with nothing.
  const isPart = ({ sourceId }: Evidence): boolean => finding.inPart?.includes(sourceId) === true;
  const others = further.filter((evidence) => !isPart(evidence));
  const voice = (evidence: Evidence): Voice => voiceOf(evidence, sources);
  // The same words need no second reading.
  const keyOf = ({ quote }: Evidence): string => sentenceKey(quote);
  const quoted = distinctBy(others, keyOf, [keyOf(first)]).slice(0, QUOTED_AGREEMENTS);
  const agreeing = quoted.map((evidence, index) =>
    agreement(voice(evidence), index === 0 ? 'in agreement' : 'likewise'),
  );
  const rest = others.filter((evidence) => !quoted.includes(evidence)).map((evidence) => evidence.sourceId);
  const more =
    rest.length === 0 ? '' : `; the same is reported by ${moreSources(rest.length)} ${citationMark(rest)}`;
  const parts = further.filter(isPart).map(({ sourceId }) => sourceId);
  const partly =
    parts.length === 0
      ? ''
      : `; a part of it is reported by ${moreSources(parts.length)} ${citationMark(parts)}`;
  return `${lead(voice(first), place)}${agreeing.join('')}${more}${partly}.`;
}

/** One source speaking: by what name, from what, in which words. */
interface Voice {
  short: Attribution;
  full: Attribution;
  /** The source's title, where the quote does not say what it is about. */
  title: string | null;
  /** The quote with its citation, and when it held where nothing else says it. */
  quote: string;
}

function voiceOf(evidence: Evidence, sources: ReadonlyMap<string, Attributable>): Voice {
  const source = sources.get(evidence.sourceId) ?? { title: evidence.sourceId };
  const short = attributionOf(source);
  const title = short.subject.includes('“') ? null : titleToTell(evidence.quote, source.title);
  const named = ({ subject, plural }: Attribution): Attribution => ({ subject: inert(subject), plural });
  return {
    short: named(short),
    full: named(attributionOf(source, 'full')),
    title: title === null ? null : quotation(title),
    quote: `${quotation(evidence.quote)} ${citationMark([evidence.sourceId])}${asOfNote(evidence.quote, source.publishedAt, short.subject)}`,
  };
}

/** `, in “Title”,`, or nothing. */
function whereOf({ title }: Voice): string {
  return title === null ? '' : `, in ${title},`;
}

function lead(voice: Voice, { turn, introduced, contrast }: ClaimPlace): string {
  const { short, full, title, quote } = voice;
  if (introduced) return `${short.subject} also ${verb('report', short)}: ${quote}`;
  if (contrast) {
    return `By contrast, ${full.subject}${whereOf(voice)} ${verb('report', full)}: ${quote}`;
  }
  if (title !== null)
    return `${capitalised(full.subject)}${whereOf(voice)} ${verb(turn % 2 === 0 ? 'report' : 'state', full)}: ${quote}`;
  const frames = [
    `${full.subject} ${verb('report', full)}: ${quote}`,
    `According to ${full.subject}, ${quote}`,
    `${quote}, ${verb('write', full)} ${full.subject}`,
  ];
  return capitalised(frames[turn % frames.length] ?? '');
}

function agreement(voice: Voice, opening: string): string {
  return `; ${opening}, ${voice.full.subject}${whereOf(voice)} ${verb('report', voice.full)}: ${voice.quote}`;
}

function verb(base: 'report' | 'write' | 'state', { plural }: Attribution): string {
  return plural ? base : `${base}s`;
}
