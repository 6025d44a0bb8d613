import type { Conflict, Evidence, Finding } from '../../contracts/finding';
import { MAX_SUMMARY_CHARS, type Passage, type SourceWindow } from '../../contracts/source';
import { citationMark } from '../../lib/citation-marks';
import { append, distinctBy } from '../../lib/iterables';
import { formatQuote, stripUnsafe } from '../../lib/untrusted-text';
import { shorten } from '../../report/attribution';
import { withoutLeadIn } from '../../report/claim-sentence';
import { joinPlans, MIN_RELEVANCE } from '../../report/ranked-outline';
import { reportTexts } from '../../report/report-texts';
import {
  type ExtractFindingsInput,
  type ExtractFindingsOutput,
  requestedSections,
} from '../../steps/extract-findings';
import type { ScoreRelevanceInput, ScoreRelevanceOutput } from '../../steps/outline-sections';
import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import type { PlanSearchInput, PlanSearchOutput } from '../../steps/search-queries';
import type { SummariseInput, SummariseOutput } from '../../steps/summarise';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-rows';
import { indexSources, sentencesOfPassages } from '../../text/collection';
import { sentenceKey } from '../../text/duplicates';
import type { Encoder } from '../../text/encoder';
import { readIndexed } from '../../text/features';
import { lexicalRelevance } from '../../text/lexical-relevance';
import { asksForEffect, isAskingWord, type Question, readQuestion, splitPhrases } from '../../text/question';
import { rankByMeaning, type RankedSentence, rankSentences } from '../../text/ranking';
import {
  DEFAULT_LIMITS,
  nearBestFor,
  quotableSentences,
  selectSentences,
} from '../../text/sentence-selection';
import { answerExtractively } from './quoted-answer';
import { crossCheckExtractively } from './quoted-checks';
import { outlineExtractively } from './quoted-outline';
import {
  planBriefExtractively,
  rankFindings,
  writeBriefPartExtractively,
  writeSectionExtractively,
} from './quoted-sections';
import { compressExtractively, quoteOf } from './quotes';

/** Sentences ranked by features, per requested finding. */
const RANKED_PER_FINDING = 20;

/** Sentences ranked by meaning, per requested finding. */
const ENCODED_PER_FINDING = 4;

/** Within the "medium" band of document 002: one source, no contradiction. */
const GENERAL_CONFIDENCE = 0.62;

const AUTHORITATIVE_CONFIDENCE = 0.67;

const COVERAGE_CONFIDENCE = 0.08;

const MIN_BULLETS = 3;

const MAX_BULLETS = 5;

/** Quotes per source, unless too few others remain. */
const MAX_QUOTES_PER_SOURCE = 2;

const BULLET_WORDS = 30;

const WHOLE_WORDS = 45;

/** Sentences ranked per source. A summary has room for about 6. */
const RANKED_PER_SOURCE = 20;

const MAX_QUERY_CHARS = 300;

/** A source outside the section's plan stays below the threshold for reading it. */
const MAX_UNPLANNED_RELEVANCE = MIN_RELEVANCE - 0.01;

type ExtractiveStepName = Exclude<StepName, 'judge' | 'write-text' | 'audit-text' | 'mend-text'>;

const extractiveSteps: {
  [Name in ExtractiveStepName]: (
    input: InputOf<Name>,
    encoder: Encoder | null,
  ) => OutputOf<Name> | Promise<OutputOf<Name>>;
} = {
  summarise: summariseExtractively,
  outline: outlineExtractively,
  'merge-outlines': ({ plans }) => joinPlans(plans),
  'score-relevance': scoreRelevanceExtractively,
  'extract-findings': extractFindingsExtractively,
  'cross-check': crossCheckExtractively,
  'write-section': writeSectionExtractively,
  'write-summary': writeSummaryExtractively,
  'rewrite-question': () => ({ queries: [] }),
  'plan-search': planSearchExtractively,
  compress: compressExtractively,
  answer: answerExtractively,
  'plan-brief': planBriefExtractively,
  'write-brief-part': writeBriefPartExtractively,
};

/** Needs an input that was parsed with the step's schema. Rejects for an unknown name. */
export async function runExtractiveStep(
  name: string,
  input: unknown,
  encoder: Encoder | null = null,
): Promise<unknown> {
  if (!Object.hasOwn(extractiveSteps, name)) throw new Error(`The extractive engine has no step "${name}"`);
  const carryOut = extractiveSteps[name as keyof typeof extractiveSteps] as (
    input: unknown,
    encoder: Encoder | null,
  ) => unknown; // the caller parsed the input
  return carryOut(input, encoder);
}

/** A source without a score in the plan gets one from the section's words that it shares. */
function scoreRelevanceExtractively({ sections, sources }: ScoreRelevanceInput): ScoreRelevanceOutput {
  const words = lexicalRelevance(sections, sources);
  const planned = sections.map(
    ({ relevantSources }) => new Map(relevantSources.map(({ sourceId, relevance }) => [sourceId, relevance])),
  );
  return {
    scores: sources.map(({ sourceId }, source) => ({
      sourceId,
      sections: sections.map(({ id }, section) => {
        const shared = MAX_UNPLANNED_RELEVANCE * (words[section]?.[source] ?? 0);
        const relevance = planned[section]?.get(sourceId) ?? Math.round(100 * shared) / 100;
        return { sectionId: id, relevance };
      }),
    })),
  };
}

/** Combines the question's phrases, for indexes that require every word; or a gap's phrases with the first one. */
export function planSearchExtractively({ question, tried, gaps, most }: PlanSearchInput): PlanSearchOutput {
  const asked = phrasesOf(question);
  const [subject = question.trim(), ...others] = asked;
  const ofQuestion = [
    asked.length === 0 ? subject : asked.join(' '),
    ...(others.length < 2 ? [] : others.map((phrase) => `${subject} ${phrase}`)),
  ];
  const ofGaps = gaps.flatMap((gap) => {
    // A gap question names its subject in quotation marks.
    const named = [...gap.matchAll(/“([^”]+)”/g)].flatMap(([, phrase = '']) => phrasesOf(phrase));
    const phrases = named.length > 0 ? named : phrasesOf(gap);
    return phrases.length === 0 ? [] : [joinQueryWords([subject, ...phrases])];
  });
  const known = new Set(tried.map(sentenceKey));
  const planned = (gaps.length > 0 ? ofGaps : ofQuestion).filter(
    (query) => query !== '' && !known.has(sentenceKey(query)),
  );
  return { queries: distinctBy(planned, sentenceKey).slice(0, most) };
}

/** A gap may repeat the question's subject. */
function joinQueryWords(phrases: readonly string[]): string {
  const words = distinctBy(phrases.join(' ').split(' '), (word) => word.toLowerCase());
  return words.join(' ').slice(0, MAX_QUERY_CHARS).trim();
}

function phrasesOf(text: string): string[] {
  return splitPhrases(text, asksForEffect(text)).flatMap(({ text: phrase }) => {
    const telling = phrase.split(' ').filter((word) => !isAskingWord(word));
    return telling.length === 0 ? [] : [telling.join(' ')];
  });
}

export function summariseExtractively({ question, sources }: SummariseInput): SummariseOutput {
  const asked = readQuestion(question);
  return {
    summaries: sources.map(({ sourceId, title, passages }) => ({
      sourceId,
      summary: summariseSource(title, passages, asked),
    })),
  };
}

function summariseSource(title: string, passages: readonly Passage[], question: Question): string {
  const sentences = sentencesOfPassages(passages).map(({ text }) => text);
  const collection = indexSources([{ id: '', title, sentences }]);
  const ranked = rankSentences(readIndexed(question, collection), {
    most: RANKED_PER_SOURCE,
    within: 'source',
  });
  // A source with little on the question is summarised by its opening.
  const order = [...new Set([...ranked.map(({ sentence }) => sentence), ...sentences.keys()])];
  const chosen: number[] = [];
  let left = MAX_SUMMARY_CHARS;
  for (const at of order) {
    const length = (sentences[at]?.length ?? 0) + 1;
    if (length > left + 1) continue;
    chosen.push(at);
    left -= length;
  }
  const text = chosen
    .sort((a, b) => a - b)
    .map((at) => sentences[at]?.replace(/\s+/g, ' '))
    .join(' ');
  return text === '' ? openingText(passages, title) : text;
}

function openingText(passages: readonly Passage[], title: string): string {
  const text = passages.map((passage) => passage.text).join(' ') || title;
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded === '') return title;
  if (folded.length <= MAX_SUMMARY_CHARS) return folded;
  const cut = folded.slice(0, MAX_SUMMARY_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_SUMMARY_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Quotes 3 to 5 findings, each followed by a contradicting one. If none likely answers, the first bullet says so. */
export async function writeSummaryExtractively(
  input: WriteSummaryInput,
  encoder: Encoder | null = null,
): Promise<WriteSummaryOutput> {
  const { question, sections, conflicts } = input;
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const { ranked, areLikely } = await rankFindings(
    question,
    sections.flatMap(({ findings }) => findings),
    ({ citations: [first = ''] }) => sources.get(first)?.title ?? '',
    encoder,
  );
  const opening = areLikely || ranked.length === 0 ? [] : [reportTexts.unlikely];
  const most = MAX_BULLETS - opening.length;
  const claims = addContradictions(chooseBullets(ranked), ranked, conflicts, most).flatMap(
    ({ finding, isAgainst }) => {
      const evidence = finding.evidence.find(({ sourceId }) => sources.has(sourceId));
      if (evidence === undefined) return [];
      const words = shorten(withoutLeadIn(evidence.quote), BULLET_WORDS, WHOLE_WORDS);
      const text = `${formatQuote(words)} ${citationMark([evidence.sourceId])}.`;
      return [{ text, lead: isAgainst ? `${reportTexts.against} ` : '', findingIds: [finding.id] }];
    },
  );
  return {
    title: stripUnsafe(question).replace(/\s+/g, ' ').trim() || question,
    bullets: [...opening, ...claims.map(({ lead, text }) => `${lead}${text}`)],
    claims: claims.map(({ text, findingIds }) => ({ text, findingIds })),
    followUpQuestions: [],
  };
}

function chooseBullets(ranked: readonly Finding[]): Finding[] {
  const chosen: Finding[] = [];
  const perSource = new Map<string, number>();
  for (const finding of ranked) {
    const source = finding.citations[0] ?? '';
    const already = perSource.get(source) ?? 0;
    if (chosen.length === MAX_BULLETS || already === MAX_QUOTES_PER_SOURCE) continue;
    chosen.push(finding);
    perSource.set(source, already + 1);
  }
  const rest = ranked.filter((finding) => !chosen.includes(finding));
  return [...chosen, ...rest.slice(0, Math.max(0, MIN_BULLETS - chosen.length))];
}

/** Adds the best contradicting finding to each chosen one. A pair beyond `most` is left out: no side stands alone. */
function addContradictions(
  chosen: readonly Finding[],
  ranked: readonly Finding[],
  conflicts: readonly Conflict[],
  most: number,
): { finding: Finding; isAgainst: boolean }[] {
  const told = new Map<Finding, boolean>();
  for (const finding of chosen) {
    if (told.has(finding)) continue;
    const disputed = conflicts.filter(({ findingIds }) => findingIds.includes(finding.id));
    const against = ranked.find(
      (other) =>
        other !== finding &&
        !told.has(other) &&
        !other.citations.some((id) => finding.citations.includes(id)) &&
        disputed.some(({ findingIds }) => findingIds.includes(other.id)),
    );
    if (told.size + (against === undefined ? 1 : 2) > most) continue;
    told.set(finding, false);
    if (against !== undefined) told.set(against, true);
  }
  return [...told].map(([finding, isAgainst]) => ({ finding, isAgainst }));
}

export async function extractFindingsExtractively(
  input: ExtractFindingsInput,
  encoder: Encoder | null = null,
): Promise<ExtractFindingsOutput> {
  const findings: Finding[] = [];
  for (const section of requestedSections(input))
    append(findings, await extractSectionFindings({ ...input, section }, encoder));
  return { sectionId: input.section.id, findings };
}

async function extractSectionFindings(
  { question, section, sources, findings, counts }: ExtractFindingsInput,
  encoder: Encoder | null,
): Promise<Finding[]> {
  const asked = readQuestion(question);
  const read = quotableSentences(sources);
  const collection = indexSources(
    sources.map(({ sourceId, title }, at) => ({
      id: sourceId,
      title,
      sentences: (read[at] ?? []).map(({ text }) => text),
    })),
  );
  const reading = readIndexed(asked, collection, counts);
  const ranked = await rankByMeaning(encoder, reading, {
    most: RANKED_PER_FINDING * findings.max,
    read: ENCODED_PER_FINDING * findings.max,
  });
  // With many sources, each gets a turn. With few, the best sentences win.
  const inTurns = sources.length > findings.max / 2;
  const nearBest = nearBestFor(counts?.sentences ?? collection.texts.length, asked);
  const chosen = selectSentences(ranked, collection, {
    ...DEFAULT_LIMITS,
    most: findings.max,
    inTurns,
    nearBest,
  });
  const best = Math.max(...chosen.map(({ coverage }) => coverage), 0.01);
  const made = chosen.flatMap((candidate): Omit<Finding, 'id'>[] => {
    const source = sources[candidate.source];
    if (source === undefined) return [];
    const from = collection.sources[candidate.source]?.from ?? 0;
    const quote = quoteOf(read[candidate.source] ?? [], candidate.sentence - from, source.passages);
    if (quote === null) return [];
    const evidence: Evidence = {
      sourceId: source.sourceId,
      quote: quote.text,
      start: quote.start,
      end: quote.end,
    };
    return [
      {
        sectionId: section.id,
        claim: quote.text.replace(/\s+/g, ' '),
        citations: [source.sourceId],
        evidence: [evidence],
        confidence: confidenceOf(candidate, source, best),
      },
    ];
  });
  return withoutOverlaps(made).map((finding, at) => ({
    id: `${section.id}-finding-${at + 1}`,
    ...finding,
  }));
}

function confidenceOf({ coverage }: RankedSentence, { quality }: SourceWindow, best: number): number {
  const standing = quality.level === 'authoritative' ? AUTHORITATIVE_CONFIDENCE : GENERAL_CONFIDENCE;
  return Math.round(100 * (standing + (COVERAGE_CONFIDENCE * coverage) / best)) / 100;
}

/** A quote with its preceding sentences may contain an earlier quote and then replaces it. */
function withoutOverlaps(findings: readonly Omit<Finding, 'id'>[]): Omit<Finding, 'id'>[] {
  const kept: Omit<Finding, 'id'>[] = [];
  for (const finding of findings) {
    const [own] = finding.evidence;
    const at = kept.findIndex(({ evidence: [other] }) =>
      own === undefined || other === undefined || own.sourceId !== other.sourceId
        ? false
        : own.start < other.end && other.start < own.end,
    );
    const [other] = kept[at]?.evidence ?? [];
    if (other === undefined || own === undefined) kept.push(finding);
    else if (own.start <= other.start && own.end >= other.end) kept[at] = finding;
  }
  return kept;
}
