import { citationMark } from '../citation-marks';
import { confidenceRemark } from '../confidence';
import type { Evidence, Finding, StudyContext } from '../contracts/finding';
import { sentenceKey } from '../near-duplicate-sentences';
import { asOfNote } from './as-of';
import { type Attributable, type Attribution, attributionOf } from './attribution';
import { inert, quotation } from './quotation';
import { studyPhrase } from './study-phrase';
import { titleToTell } from './study-title';

/** How many agreeing sources are quoted beside the first; the others are cited without a quote. */
const QUOTED_AGREEMENTS = 2;

/** Where a claim stands: how many came before it, whether its source was introduced, whether it contradicts the one before. */
export interface ClaimPlace {
  turn: number;
  introduced: boolean;
  contrast: boolean;
}

/**
 * A finding as prose: who reports it, of whom, where and when, the quote word for word, the sources that agree each
 * with its own quote, and how far it can be relied on.
 */
export function claimSentence(
  finding: Finding,
  sources: ReadonlyMap<string, Attributable>,
  place: ClaimPlace,
): string {
  const [first, ...others] = onePerSource(finding.evidence);
  if (first === undefined) return '';
  const voice = (evidence: Evidence): Voice => voiceOf(evidence, finding.contexts, sources);
  const quoted = inOtherWords(first, others).slice(0, QUOTED_AGREEMENTS);
  const agreeing = quoted.map((evidence, index) =>
    agreement(voice(evidence), index === 0 ? 'in agreement' : 'likewise'),
  );
  const rest = others.filter((evidence) => !quoted.includes(evidence)).map((evidence) => evidence.sourceId);
  const more =
    rest.length === 0 ? '' : `; the same is reported by ${count(rest.length)} ${citationMark(rest)}`;
  return `${lead(voice(first), place)}${agreeing.join('')}${more} (${confidenceRemark([finding])}).`;
}

/** One source speaking: by what name, of which study, in which words. */
interface Voice {
  short: Attribution;
  full: Attribution;
  study: string | null;
  /** The source's title, where the quote does not say what was studied. */
  title: string | null;
  /** The quote with its citation, what its abbreviations stand for, and when it held where nothing else says it. */
  quote: string;
}

function voiceOf(
  evidence: Evidence,
  contexts: readonly StudyContext[],
  sources: ReadonlyMap<string, Attributable>,
): Voice {
  const source = sources.get(evidence.sourceId) ?? { title: evidence.sourceId };
  const context = contexts.find(({ sourceId }) => sourceId === evidence.sourceId);
  const study = studyPhrase(withoutOtherTimes(context, evidence.quote));
  const short = attributionOf(source);
  const title = short.subject.includes('“')
    ? null
    : titleToTell(`${evidence.quote} ${study ?? ''}`, source.title);
  const named = ({ subject, plural }: Attribution): Attribution => ({ subject: inert(subject), plural });
  return {
    short: named(short),
    full: named(attributionOf(source, 'full')),
    study: study === null ? null : inert(study),
    title: title === null ? null : quotation(title),
    quote: `${quotation(evidence.quote)} ${citationMark([evidence.sourceId])}${glossary(context)}${asOfNote(evidence.quote, source.publishedAt, short.subject)}`,
  };
}

/** How long a study lasted is left out where the quote tells of times itself: the two would not seem to agree. */
function withoutOtherTimes(context: StudyContext | undefined, quote: string): StudyContext | undefined {
  if (context === undefined || !/\b(?:weeks?|months?|years?)\b/i.test(quote)) return context;
  const { duration: _duration, ...rest } = context;
  return rest;
}

/** ` (GTP: green tea polyphenols)`, or nothing. */
export function glossary(context: StudyContext | undefined): string {
  const meanings = (context?.abbreviations ?? []).map(({ short, long }) => inert(`${short}: ${long}`));
  return meanings.length === 0 ? '' : ` (${meanings.join('; ')})`;
}

/** `, in “Title” (a randomised trial),`, `, in a randomised trial,`, or nothing. */
function whereOf({ study, title }: Voice): string {
  if (title !== null) return `, in ${title}${study === null ? '' : ` (${study})`},`;
  return study === null ? '' : `, in ${study},`;
}

function lead(voice: Voice, { turn, introduced, contrast }: ClaimPlace): string {
  const { short, full, study, title, quote } = voice;
  if (introduced) return `${short.subject} also ${verb('report', short)}: ${quote}`;
  if (contrast) {
    return `By contrast, ${full.subject}${whereOf(voice)} ${verb('report', full)}: ${quote}`;
  }
  if (title !== null)
    return `${capital(full.subject)}${whereOf(voice)} ${verb(turn % 2 === 0 ? 'report' : 'state', full)}: ${quote}`;
  const frames =
    study === null
      ? [
          `${full.subject} ${verb('report', full)}: ${quote}`,
          `According to ${full.subject}, ${quote}`,
          `${quote}, ${verb('write', full)} ${full.subject}`,
        ]
      : [
          `In ${study}, ${full.subject} ${verb('report', full)}: ${quote}`,
          `${full.subject}, in ${study}, ${verb('state', full)}: ${quote}`,
          `${quote}, ${verb('report', full)} ${full.subject} from ${study}`,
        ];
  return capital(frames[turn % frames.length] ?? '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function agreement(voice: Voice, opening: string): string {
  return `; ${opening}, ${voice.full.subject}${whereOf(voice)} ${verb('report', voice.full)}: ${voice.quote}`;
}

/** One quote a source: the first that it has. */
function onePerSource(evidence: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>();
  return evidence.filter((item) => !seen.has(item.sourceId) && seen.add(item.sourceId));
}

/** Those whose sentence was not quoted before: the same words need no second reading. */
function inOtherWords(first: Evidence, others: readonly Evidence[]): Evidence[] {
  const said = new Set([sentenceKey(first.quote)]);
  return others.filter(({ quote }) => {
    const key = sentenceKey(quote);
    const fresh = !said.has(key);
    said.add(key);
    return fresh;
  });
}

function verb(base: 'report' | 'write' | 'state', { plural }: Attribution): string {
  return plural ? base : `${base}s`;
}

function count(sources: number): string {
  return sources === 1 ? 'one more source' : `${sources} more sources`;
}
