import type { AnswerPassage } from '../../contracts/answer';
import { estimateTokens } from '../../contracts/budget';
import type { AnswerSentence } from '../../contracts/draft';
import type { Conflict, Evidence, Finding } from '../../contracts/finding';
import { findConflicts } from '../../evidence/conflicts';
import type { SourcesById } from '../../evidence/corroboration';
import { groupAgreeing } from '../../evidence/reconcile-findings';
import { citationMark } from '../../lib/citation-marks';
import { distinctBy, groupBy } from '../../lib/iterables';
import { bullets, capitalised } from '../../lib/strings';
import { formatQuote, toSafeLine } from '../../lib/untrusted-text';
import { answerTexts } from '../../report/answer-texts';
import { attributionOf, authorNames } from '../../report/attribution';
import { missingTitle } from '../../report/claim-sentence';
import type { AnswerInput, AnswerOutput } from '../../steps/answer-question';
import { answerableThreshold } from '../../text/answerability';
import { type Collection, indexSources, sentencesOfSource, type SourceSentence } from '../../text/collection';
import type { Encoder } from '../../text/encoder';
import { readIndexed, type Reading, weightedShare } from '../../text/features';
import { numbersIn } from '../../text/numbers';
import { type Question, readQuestion } from '../../text/question';
import { rankByMeaning, type RankedSentence } from '../../text/ranking';
import {
  DEFAULT_LIMITS,
  isQuotable,
  nearBestFor,
  type SelectionLimits,
  selectSentences,
} from '../../text/sentence-selection';
import { tokensOf } from '../../text/sentences';
import { terms } from '../../text/words';
import { quoteOf } from './quotes';

/** Fewer figures can agree by chance. */
const MIN_FIGURES = 3;

const NEUTRAL_CONFIDENCE = 0.5;

const COMPARED_SENTENCES = 40;

const MAX_SENTENCES = 5;

/** Quotes at most 5 sentences, best first. If none likely answers, `missing` quotes the nearest one. */
export async function answerExtractively(
  input: AnswerInput,
  encoder: Encoder | null = null,
): Promise<AnswerOutput> {
  const { question, passages, counts } = input;
  const asked = readQuestion(question);
  const material = readPassages(passages);
  const reading = readIndexed(asked, material.collection, counts);
  const ranked = await rankByMeaning(encoder, reading);
  const named = sentencesAboutNames(ranked, reading, material);
  const isAnswered = named[0] !== undefined && input.answerable >= answerableThreshold(asked, named[0]);
  const limits = {
    ...DEFAULT_LIMITS,
    most: MAX_SENTENCES,
    inTurns: !asked.asksForEffect,
    nearBest: nearBestFor(counts.sentences, asked),
  };
  const ordered = asked.kind === 'number' ? figuresFirst(named, material) : named;
  const claims = isAnswered ? chooseClaims(ordered, material, { ...limits, question }) : [];
  const sourceOf = new Map(passages.map((passage) => [passage.id, passage]));
  const write = (kept: readonly AnswerClaim[]): ReturnType<typeof writeAnswer> =>
    writeAnswer(kept, asked, (id) => sourceOf.get(id ?? ''));
  const kept = withinTokens(claims, input.maxTokens, (some) => write(some).markdown);
  if (kept.length > 0) return { ...write(kept), missing: null, setAside: [] };
  const nearest = ranked[0] === undefined ? undefined : material.sentences[ranked[0].sentence];
  return {
    markdown: '',
    sentences: [],
    missing: nearest === undefined ? null : nearestPassage(nearest),
    setAside: [],
  };
}

function nearestPassage({ text, source }: PassageSentence): string {
  const quote = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return answerTexts.nearestPassage(quote, source.title === '' ? source.document : source.title);
}

function figuresFirst(ranked: readonly RankedSentence[], { collection }: AnswerMaterial): RankedSentence[] {
  const hasFigure = ({ sentence }: RankedSentence): boolean =>
    numbersIn(collection.texts[sentence] ?? '').some(({ isDate }) => !isDate);
  return [...ranked.filter(hasFigure), ...ranked.filter((one) => !hasFigure(one))];
}

function withinTokens(
  claims: readonly AnswerClaim[],
  maxTokens: number,
  write: (claims: readonly AnswerClaim[]) => string,
): AnswerClaim[] {
  const kept: AnswerClaim[] = [];
  for (const claim of claims)
    if (estimateTokens(write([...kept, claim]).length) <= maxTokens) kept.push(claim);
  return kept;
}

/** Share of the question's weight from which its names are its subject: "the median age in Riceville". */
const MIN_NAMES_WEIGHT = 0.4;
/** A sentence needs this share of the names' weight, and most of the best sentence's share. */
const MIN_NAMED_SHARE = 0.5;
const NEAR_BEST_SHARE = 0.8;
const NEIGHBOURS = 2;
const QUOTED_TITLE = /["“]([^"“”]+)["”]/g;

/** A quoted title has to occur word for word, most of the names' weight in the sentence, near it or in the title. */
function sentencesAboutNames(
  ranked: readonly RankedSentence[],
  reading: Reading,
  material: AnswerMaterial,
): RankedSentence[] {
  const quoted = [...reading.question.text.matchAll(QUOTED_TITLE)].map(([, title = '']) =>
    spacedTokens(title),
  );
  const titled = ranked.filter(({ sentence }) => {
    const around = quoted.length === 0 ? '' : contextOf(sentence, material);
    return quoted.every((title) => around.includes(title));
  });
  const columns = columnsOfNames(reading);
  if (columns.length === 0) return titled;
  const { matches, union, weights } = reading;
  const named = titled.map(({ sentence }) =>
    weightedShare(union, sentence * matches.columns, weights, columns),
  );
  const least = Math.max(MIN_NAMED_SHARE, NEAR_BEST_SHARE * Math.max(0, ...named));
  return titled.filter((_sentence, at) => (named[at] ?? 0) >= least);
}

function columnsOfNames({ question, weights, whole }: Reading): number[] {
  const columns = question.names.map((name) => question.words.indexOf(name));
  const weight = columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0);
  // A study names its treatment in the title and only speaks of a group in its text.
  return !question.asksForEffect && weight >= MIN_NAMES_WEIGHT * whole ? columns : [];
}

function contextOf(sentence: number, { collection, sentences }: AnswerMaterial): string {
  const { from = 0, to = 0 } = collection.sources[collection.sourceOf[sentence] ?? 0] ?? {};
  const near = collection.texts.slice(
    Math.max(from, sentence - NEIGHBOURS),
    Math.min(to, sentence + NEIGHBOURS + 1),
  );
  return [sentences[sentence]?.source.title ?? '', ...near].map(spacedTokens).join('');
}

function spacedTokens(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

function writeAnswer(
  claims: readonly AnswerClaim[],
  question: Question,
  sourceOf: (passageId: string | undefined) => AnswerPassage | undefined,
): { markdown: string; sentences: AnswerSentence[] } {
  const introduced = new Set<string>();
  const sentences = claims.flatMap((claim, at): AnswerSentence[] => {
    const source = sourceOf(claim.passageIds[0]);
    if (source === undefined) return [];
    const follows = claims[at - 1]?.evidence[0]?.sourceId === source.sourceId;
    const isIntroduced = introduced.has(source.sourceId);
    introduced.add(source.sourceId);
    return [
      formatClaim(claim, {
        question,
        source,
        contrast: claim.isAgainst,
        follows,
        introduced: isIntroduced,
      }),
    ];
  });
  const rows = sentences.map(({ text }) => text);
  return { markdown: rows.length > 1 ? bullets(rows).trimEnd() : rows.join(''), sentences };
}

interface ClaimPlace {
  question: Question;
  source: AnswerPassage;
  follows: boolean;
  introduced: boolean;
  contrast: boolean;
}

/** `Doe (2010), in “Title”: “quote” [@P1].` */
function formatClaim({ evidence, passageIds }: AnswerClaim, place: ClaimPlace): AnswerSentence {
  const quote = evidence[0]?.quote ?? '';
  const { source, follows, introduced, contrast } = place;
  const who = authorNames(source.author).length === 0 ? '' : toSafeLine(attributionOf(source).subject);
  const title = introduced ? null : informativeTitle(quote, place, who === '');
  const lead = answerTexts.lead({
    isContrast: contrast,
    who: follows ? '' : who,
    isAgain: introduced,
    title: follows || title === null ? '' : formatQuote(title),
  });
  const said = `${formatQuote(quote)} ${citationMark(passageIds)}`;
  return {
    text: `${lead === '' ? '' : `${capitalised(lead)}: `}${said}.`,
    plain: quote.replace(/\s+/g, ' '),
    passageIds: [...passageIds],
  };
}

/** The title if it adds words of the question to the quote, or if there is no author. */
function informativeTitle(
  quote: string,
  { question, source }: ClaimPlace,
  isAllThereIs: boolean,
): string | null {
  const said = new Set(terms(quote));
  const named = new Set(terms(source.title));
  const adds = question.words.some((word) => named.has(word) && !said.has(word));
  return adds || isAllThereIs ? missingTitle(quote, source.title) : null;
}

interface AnswerClaim {
  isAgainst: boolean;
  /** Quotes with their places in the documents; the first belongs to `passageIds[0]`. */
  evidence: Evidence[];
  passageIds: string[];
}

/** Agreeing sentences of several documents are one claim. A contradicting sentence follows its counterpart. */
function chooseClaims(
  ranked: readonly RankedSentence[],
  { collection, sentences, passages }: AnswerMaterial,
  { question, ...limits }: SelectionLimits & { question: string },
): AnswerClaim[] {
  const compared = ranked.slice(0, COMPARED_SENTENCES);
  const findings = compared.flatMap(toFindings(sentences));
  const titles = titlesOf(sentences);
  const groups = groupAgreeing(findings, titles);
  const conflicts = findConflicts(findings, titles, { question });
  const agreeing = new Map(groups.map(({ finding, findingIds }) => [finding.id, findingIds]));
  const leading = compared.filter(({ sentence }) => agreeing.has(`${sentence}`));
  const chosen = addContradictions(
    selectSentences(leading, collection, limits),
    leading,
    conflicts,
    sentences,
  );
  const claims = chosen.slice(0, limits.most).flatMap(({ candidate, isAgainst }): AnswerClaim[] => {
    const places = (agreeing.get(`${candidate.sentence}`) ?? []).map(Number);
    const own = sentences[candidate.sentence];
    const quote = own === undefined ? null : quoteOf(sentences, candidate.sentence, passages);
    if (own === undefined || quote === null) return [];
    const others = places.flatMap((place) => sentences[place] ?? []).filter((other) => other !== own);
    return [
      {
        isAgainst,
        evidence: [
          { sourceId: own.source.sourceId, quote: quote.text, start: quote.start, end: quote.end },
          ...others.map(evidenceOf),
        ],
        passageIds: [...new Set([own, ...others].map(({ source }) => source.id))],
      },
    ];
  });
  return withoutOverlaps(claims);
}

/** Adds the best contradicting sentence of another document to each chosen one, even if it was not chosen. */
function addContradictions(
  chosen: readonly RankedSentence[],
  ranked: readonly RankedSentence[],
  conflicts: readonly Conflict[],
  sentences: readonly PassageSentence[],
): { candidate: RankedSentence; isAgainst: boolean }[] {
  const sourceOf = ({ sentence }: RankedSentence): string => sentences[sentence]?.source.sourceId ?? '';
  const told = new Map<RankedSentence, boolean>();
  for (const candidate of chosen) {
    if (told.has(candidate)) continue;
    told.set(candidate, false);
    const disputed = conflicts.filter(({ findingIds }) => findingIds.includes(`${candidate.sentence}`));
    const against = ranked.find(
      (other) =>
        !told.has(other) &&
        sourceOf(other) !== sourceOf(candidate) &&
        disputed.some(({ findingIds }) => findingIds.includes(`${other.sentence}`)),
    );
    if (against !== undefined) told.set(against, true);
  }
  return [...told].map(([candidate, isAgainst]) => ({ candidate, isAgainst }));
}

/** A quote may include a preceding sentence that was chosen itself; the longer quote takes the better position. */
function withoutOverlaps(claims: readonly AnswerClaim[]): AnswerClaim[] {
  const kept: AnswerClaim[] = [];
  for (const claim of claims) {
    const at = kept.findIndex((other) => coversClaim(other, claim) || coversClaim(claim, other));
    const other = kept[at];
    if (other === undefined) kept.push(claim);
    else if (!coversClaim(other, claim)) kept[at] = claim;
  }
  return kept;
}

function coversClaim({ evidence: [one] }: AnswerClaim, { evidence: [other] }: AnswerClaim): boolean {
  if (one === undefined || other === undefined || one.sourceId !== other.sourceId) return false;
  return (one.start <= other.start && one.end >= other.end) || hasFiguresOf(one.quote, other.quote);
}

/** Documents repeat their figures in the abstract and the results. */
function hasFiguresOf(one: string, other: string): boolean {
  const [told, wanted] = [figuresIn(one), figuresIn(other)];
  return wanted.size >= MIN_FIGURES && [...wanted].every((figure) => told.has(figure));
}

function figuresIn(quote: string): Set<string> {
  return new Set(numbersIn(quote).map(({ value, unit }) => `${value} ${unit}`));
}

function toFindings(sentences: readonly PassageSentence[]): (ranked: RankedSentence) => Finding[] {
  return ({ sentence }) => {
    const own = sentences[sentence];
    if (own === undefined) return [];
    const { sourceId } = own.source;
    return [
      {
        id: `${sentence}`,
        sectionId: '',
        claim: own.text,
        confidence: NEUTRAL_CONFIDENCE,
        citations: [sourceId],
        evidence: [evidenceOf(own)],
      },
    ];
  };
}

function evidenceOf({ source, start, end, text }: PassageSentence): Evidence {
  return { sourceId: source.sourceId, quote: text, start, end };
}

function titlesOf(sentences: readonly PassageSentence[]): SourcesById {
  return new Map(
    sentences.map(({ source: { sourceId, title, publishedAt } }) => [
      sourceId,
      { title, quality: { level: 'general', reason: '' }, publishedAt },
    ]),
  );
}

/** `passage` is the index of the sentence's passage. */
interface PassageSentence extends SourceSentence {
  source: AnswerPassage;
}

interface AnswerMaterial {
  passages: readonly AnswerPassage[];
  collection: Collection;
  sentences: readonly PassageSentence[];
}

/** Documents have the order of their best passages. A sentence of overlapping passages is read once. */
function readPassages(passages: readonly AnswerPassage[]): AnswerMaterial {
  const all = passages.flatMap(sentencesOf);
  const documents = [...groupBy(all, ({ source }) => source.sourceId)].map(([id, own]) => ({
    id,
    title: own[0]?.source.title ?? '',
    sentences: distinctBy(own, ({ start }) => `${start}`).sort((a, b) => a.start - b.start),
  }));
  return {
    passages,
    collection: indexSources(
      documents.map(({ id, title, sentences }) => ({
        id,
        title,
        sentences: sentences.map(({ text }) => text),
      })),
    ),
    sentences: documents.flatMap(({ sentences }) => sentences),
  };
}

function sentencesOf(source: AnswerPassage, passage: number): PassageSentence[] {
  return sentencesOfSource(source.text).flatMap(({ start, end, text }) =>
    isQuotable(text, source.title)
      ? [{ source, passage, start: source.start + start, end: source.start + end, text }]
      : [],
  );
}
