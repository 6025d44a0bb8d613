import type { Passage } from '../contracts/passage';
import { splitSentences } from '../../language/sentences';
import { type Zone, inlineLabel, isInAbstract, zoneOf } from './zones';
import type { Genre } from './kinds';

/** A sentence of a source with its offsets into the source's content, and the part of the source that it stands in. */
export interface SourceSentence {
  start: number;
  end: number;
  text: string;
  zone: Zone;
  inAbstract: boolean;
}

const CITES =
  /\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|\bet al\b|\b(?:Fig|Figure|Table)s?\.? ?\d|[a-z]\(\d{1,3}(?:[,–]\d{1,3})*\)/;
const WHAT_WAS_DONE =
  /\b(?:aims?|aimed|purpose|objectives?|goal|hypothesi[sz]ed?|we (?:\w+ )?(?:investigated|examined|studied|assessed|evaluated|compared|tested|conducted|performed|recruited|randomi[sz]ed|report|sought|determined|explored|analy[sz]ed|measured)|(?:study|trial|paper|investigation|experiment) (?:\w+ )?(?:was|is|were|investigated|examined|assessed|evaluated|compared|tested|explored|aim\w*|sought|describes|reports|determined)|were (?:\w+ )?(?:randomi[sz]ed|recruited|assigned|allocated|enrol+ed|studied|included|divided|asked|measured|given)|participated|in this (?:\w+ ){0,4}(?:study|trial)|(?:participants|subjects|patients|volunteers|men|women|children|adults) (?:\w+ )?(?:received|completed|underwent|consumed|performed|took|were))\b/i;
const ENUMERATOR = /^(?:\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})\)|\d{1,2}\.)\s+(?=\p{Lu})/u;

/** The sentences of a passage. Labels in front (`Results:`, `(1)`) set the zone for what follows and are left out. */
export function sentencesOf(passage: Passage): SourceSentence[] {
  let zone = zoneOf(passage.headings);
  let inAbstract = isInAbstract(passage.headings);
  const sentences = splitSentences(passage.text);
  if (zone === 'title' && sentences.length > 1) {
    zone = 'abstract';
    inAbstract = true;
  }
  // Text that cites is no abstract, whatever heading came last: an introduction without a heading follows it.
  if (inAbstract && CITES.test(passage.text)) {
    inAbstract = false;
    zone = 'unknown';
  }
  // An abstract without labels begins with what was known; what was done comes before what was found.
  let opens = zone === 'abstract' && sentences.some(({ text }) => WHAT_WAS_DONE.test(text));
  return sentences.flatMap((sentence) => {
    const label = inlineLabel(sentence.text);
    if (label && label.zone !== 'unknown' && label.zone !== 'title') zone = label.zone;
    if (label) opens = false;
    let skipped = label?.length ?? 0;
    skipped += ENUMERATOR.exec(sentence.text.slice(skipped))?.[0].length ?? 0;
    const text = sentence.text.slice(skipped);
    if (text === '') return [];
    const isOpening = opens;
    if (opens && WHAT_WAS_DONE.test(text)) opens = false;
    return [
      {
        start: passage.start + sentence.start + skipped,
        end: passage.start + sentence.end,
        text,
        zone: isOpening ? 'background' : zone,
        inAbstract,
      },
    ];
  });
}

const STUDY_WORDS =
  /\b(?:participants?|patients|randomi[sz]ed|placebo|trials?|baseline|cohort|intervention group|control group|p\s?[<=>]\s?0?\.\d|95\s?% CI|confidence interval|respondents|statistically|subjects|study (?:found|shows?|showed|examined|included)|researchers|authors|meta-analysis)\b/gi;
/** So many words of studies in a thousand characters make a text a report of one; fewer beside a heading of an article. */
const STUDY_WORDS_PER_1000 = 0.8;
const WITH_HEADING_PER_1000 = 0.25;
const ARTICLE_ZONES: ReadonlySet<Zone> = new Set([
  'background',
  'methods',
  'results',
  'discussion',
  'conclusions',
  'participants',
  'limitations',
]);

/** Whether a source reports a study or describes something, by its headings and its words; a part of its passages is enough. */
export function genreOf(passages: readonly Passage[]): Genre {
  const parts = new Set(
    passages.map((passage) => zoneOf(passage.headings)).filter((zone) => ARTICLE_ZONES.has(zone)),
  );
  const abstract = passages.some((passage) => isInAbstract(passage.headings));
  if (parts.size >= 3 || (parts.size >= 1 && abstract)) return 'study';
  let chars = 0;
  let found = 0;
  for (const { text } of passages) {
    if (chars > 12_000) break;
    chars += text.length;
    found += text.match(STUDY_WORDS)?.length ?? 0;
  }
  const needed = parts.size >= 1 || abstract ? WITH_HEADING_PER_1000 : STUDY_WORDS_PER_1000;
  return found >= 2 && (found * 1_000) / Math.max(chars, 1) >= needed ? 'study' : 'document';
}
