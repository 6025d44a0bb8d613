import type { Answer, AnswerCitation, AnswerClaim } from '../../contracts/answer';
import type { Brief, BriefClaim } from '../../contracts/brief';
import { ANSWER_SECTION } from '../../contracts/draft';
import type { Report, ReportClaim, ReportConflict } from '../../contracts/report';
import type { SinceLast } from '../../contracts/run-input';
import type { Work } from '../../contracts/source';
import { writingTexts } from '../../contracts/wording';
import { confidenceLine } from '../answer-confidence';
import { answerTexts } from '../answer-texts';
import { sinceMarkdown } from '../attribution';
import { chapterOf, itemsOf, leadingNotices } from '../cited-markdown/markdown-tree';
import { summarizeCheck } from '../claims';
import { reportTexts, SUMMARY_ID } from '../report-texts';
import {
  type DisputedPlace,
  type DocumentClaim,
  type DocumentEvidence,
  type DocumentPart,
  type DocumentSource,
  type DocumentTree,
  webAddress,
} from './document';

/** Builds the tree of a result. `textOf` returns a source's text, or null; quotes are shown with the text around them. Pure. */
export function buildDocument(
  result: Report | Answer | Brief,
  textOf: (sourceId: string) => string | null,
): DocumentTree {
  const tree = buildTree(result, textOf);
  const disputed = tree.conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ places }) => places));
  return { ...tree, claims: tree.claims.map((claim) => withDisputes(claim, disputed)) };
}

function buildTree(
  result: Report | Answer | Brief,
  textOf: (sourceId: string) => string | null,
): DocumentTree {
  if (!('kind' in result)) return answerDocument(result, textOf);
  return result.kind === 'report' ? reportDocument(result, textOf) : briefDocument(result, textOf);
}

function withDisputes(claim: DocumentClaim, disputed: readonly DisputedPlace[]): DocumentClaim {
  const evidence = claim.evidence.map(({ place, ...quoted }): DocumentEvidence => {
    const isDisputed = disputed.some(
      ({ source, start, end }) => source === quoted.source && start < quoted.end && quoted.start < end,
    );
    return {
      ...quoted,
      ...(place === undefined ? {} : { place }),
      ...(isDisputed ? { isDisputed } : {}),
    };
  });
  return { ...claim, evidence };
}

function reportDocument(report: Report, textOf: (sourceId: string) => string | null): DocumentTree {
  const { markdown, provenance, citations, gaps, notices, findings } = report;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const limits = chapterOf(markdown, reportTexts.headings.limits, 'last');
  const [gapsTold = ''] = limits.split(`### ${reportTexts.headings.followUps}`);
  return {
    kind: 'report',
    id: report.id,
    title: report.title,
    question: report.question,
    notices: notices ?? leadingNotices(markdown),
    check: summarizeCheck(report),
    parts: partsOf(report),
    claims: [...summaryClaimsOf(report), ...report.claims.map((claim) => ({ claim }))].map(
      ({ claim, ...restates }) => ({
        ...claimOf(claim, (n) => textOf(idOf.get(n) ?? '')),
        ...restates,
      }),
    ),
    setAside: report.setAside.map(({ id, text, reason, sectionId, citations: sources }) => ({
      id,
      text,
      reason,
      partId: sectionId,
      sources,
    })),
    conflicts: documentConflicts(report.conflicts),
    gaps: gaps.slice(itemsOf(gapsTold).length),
    followUps: limits === '' ? report.followUpQuestions : [],
    ...(findings === undefined
      ? {}
      : {
          findings: findings.map(({ claim, confidence, validated, citations: sources }) => ({
            claim,
            confidence,
            ...(validated ? {} : { notCrossChecked: true as const }),
            sources,
          })),
        }),
    sources: citations.map((source) => citedSource(source, source.timesCited, source.readInFull)),
    ...sourcesReadOf(report),
    asOf: provenance.asOf,
    engine: provenance.engine,
    version: provenance.runtime.colligate,
  };
}

function partsOf({ markdown, since, sections }: Report): DocumentPart[] {
  const { headings } = reportTexts;
  const closing = (['conflicts', 'limits'] as const).flatMap((id): DocumentPart[] => {
    const text = chapterOf(markdown, headings[id], 'last');
    return text === '' ? [] : [{ id, title: headings[id], markdown: text }];
  });
  return [
    { id: SUMMARY_ID, title: headings.summary, markdown: chapterOf(markdown, headings.summary, 'first') },
    ...sincePart(since),
    ...sections.map(({ id, title, markdown: text }) => ({ id, title, markdown: text })),
    ...closing,
  ];
}

function summaryClaimsOf({ markdown, summaryClaims = [] }: Report): { claim: ReportClaim; restates: true }[] {
  const from = markdown.indexOf(chapterOf(markdown, reportTexts.headings.summary, 'first'));
  return summaryClaims.map((claim) => ({
    claim: { ...claim, start: claim.start - from, end: claim.end - from },
    restates: true,
  }));
}

function claimOf(claim: ReportClaim, textOfNumber: (n: number) => string | null): DocumentClaim {
  const { id, sectionId, start, end, text, verdict, reason, confidence, validated, citations } = claim;
  return {
    id,
    partId: sectionId,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: verdict === 'inference' ? null : confidence,
    ...(validated ? {} : { notCrossChecked: true as const }),
    sources: citations,
    evidence: claim.evidence.map(({ n, quote, start: from, end: to, page, place }) => ({
      source: n,
      quote,
      start: from,
      end: to,
      page: page ?? null,
      ...(place === undefined ? {} : { place }),
      ...textAround(textOfNumber(n), { quote, start: from, end: to }),
    })),
  };
}

type TextOf = (sourceId: string) => string | null;

function answerDocument(answer: Answer, textOf: TextOf): DocumentTree {
  const { outcome, diagnostics, citations, provenance } = answer;
  const failure = diagnostics.failure ?? answerTexts.noReason;
  const cited = answer.claims.flatMap((claim) => claim.citations);
  const numbersOf = (sourceIds: readonly string[]): number[] =>
    citations.filter(({ sourceId }) => sourceIds.includes(sourceId)).map(({ n }) => n);
  return {
    kind: 'answer',
    id: answer.requestId,
    title: answer.question,
    question: answer.question,
    notices: [confidenceLine(answer), ...(outcome === 'fallback' ? [answerTexts.why(failure)] : [])],
    parts: [
      { id: ANSWER_SECTION, title: answerTexts.title, markdown: answer.answer },
      ...sincePart(answer.since),
    ],
    claims: answer.claims.map((claim) => answerClaim(claim, citations, textOf)),
    setAside: answer.setAside.map(({ text, reason, sourceIds, evidence }, at) => ({
      id: `A${at + 1}`,
      text,
      reason,
      partId: ANSWER_SECTION,
      // A passage that the answer does not cite has no number.
      sources: numbersOf([...sourceIds, ...(evidence === null ? [] : [evidence.sourceId])]),
    })),
    conflicts: [],
    gaps: [],
    followUps: [],
    sources: citations.map((passage) =>
      citedSource(
        { ...passage, file: passage.document === passage.title ? undefined : passage.document },
        cited.filter((n) => n === passage.n).length,
        passage.summaryOnly !== true,
      ),
    ),
    ...sourcesReadOf(answer),
    asOf: null,
    engine: provenance.engine,
    version: provenance.runtime.colligate ?? '',
  };
}

function answerClaim(
  claim: AnswerClaim,
  citations: readonly AnswerCitation[],
  textOf: TextOf,
): DocumentClaim {
  const { id, start, end, text, verdict, reason, citations: sources } = claim;
  const passages = citations.filter(({ n }) => sources.includes(n));
  const told = claim.evidence.map(
    ({ n, quote, start: from, end: to, page, place: where }): DocumentEvidence => {
      const passage = passages.find((one) => one.n === n);
      const place = { quote, start: from, end: to };
      const named = where === undefined ? {} : { place: where };
      return {
        source: n,
        ...place,
        page: page ?? null,
        ...named,
        ...evidenceContext(place, passage, textOf),
      };
    },
  );
  // A cited passage without a quote is shown as a whole.
  const others = passages.filter(({ n }) => !told.some(({ source }) => source === n));
  return {
    id,
    partId: ANSWER_SECTION,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: null,
    sources,
    evidence: [
      ...told,
      ...others.map((passage): DocumentEvidence => {
        const place = { quote: passage.text, start: passage.start, end: passage.end };
        const { from = null, name } = passage.pages ?? {};
        const named = name === undefined ? { page: from } : { page: null, place: name };
        return { source: passage.n, ...place, ...named, ...evidenceContext(place, passage, textOf) };
      }),
    ],
  };
}

/** Text around a place in its source or, if that is unknown, in the passage. */
function evidenceContext(
  place: { quote: string; start: number; end: number },
  passage: AnswerCitation | undefined,
  textOf: TextOf,
): { before: string; after: string } {
  const text = passage === undefined ? null : textOf(passage.sourceId);
  if (text !== null || passage === undefined) return textAround(text, place);
  const { quote, start, end } = place;
  return textAround(passage.text, { quote, start: start - passage.start, end: end - passage.start });
}

function briefDocument(brief: Brief, textOf: (sourceId: string) => string | null): DocumentTree {
  const { provenance, citations } = brief;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const [first, ...others] = brief.parts.map(({ id, title, markdown }) => ({ id, title, markdown }));
  return {
    kind: 'brief',
    id: brief.id,
    title: brief.title,
    question: brief.question,
    notices: leadingNotices(brief.markdown),
    parts: [...(first === undefined ? [] : [first]), ...sincePart(brief.since), ...others],
    claims: brief.claims.map((claim) => briefClaim(claim, (n) => textOf(idOf.get(n) ?? ''))),
    setAside: brief.setAside.map(({ id, text, reason, partId, citations: sources }) => ({
      id,
      text,
      reason,
      partId,
      sources,
    })),
    conflicts: documentConflicts(brief.conflicts),
    gaps: [],
    followUps: [],
    sources: citations.map((source) => citedSource(source, source.timesCited, source.inFull)),
    ...sourcesReadOf(brief),
    asOf: provenance.asOf,
    engine: provenance.engine,
    version: provenance.runtime.colligate,
  };
}

function briefClaim(claim: BriefClaim, textOfNumber: (n: number) => string | null): DocumentClaim {
  const { id, partId, start, end, text, verdict, reason, citations } = claim;
  return {
    id,
    partId,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: null,
    sources: citations,
    evidence: claim.evidence.map(({ n, subtopicId, quote, start: from, end: to, page }) => ({
      source: n,
      quote,
      start: from,
      end: to,
      page: page ?? null,
      // A place in a summary is no place in the source.
      ...textAround(subtopicId === null ? textOfNumber(n) : null, { quote, start: from, end: to }),
      ...(subtopicId === null ? {} : { ofSummary: true as const }),
    })),
  };
}

function sourcesReadOf({ sourcesRead }: Report | Answer | Brief): Pick<DocumentTree, 'sourcesRead'> {
  return sourcesRead === undefined ? {} : { sourcesRead };
}

interface CitedSource {
  n: number;
  sourceId: string;
  url: string | null;
  title: string;
  file?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  quality?: DocumentSource['quality'] | undefined;
  work?: Work | undefined;
}

export function citedSource(
  { n, sourceId, url, title, file, author, site, publishedAt, accessedAt, quality, work }: CitedSource,
  timesCited: number,
  isRead: boolean,
): DocumentSource {
  return {
    n,
    sourceId,
    title,
    file: file ?? null,
    author: author ?? null,
    site: site ?? null,
    publishedAt: publishedAt ?? null,
    accessedAt: accessedAt ?? null,
    url: webAddress(url),
    quality: quality ?? null,
    timesCited,
    ...(isRead ? {} : { bySummaryOnly: true as const }),
    ...(work === undefined ? {} : { work }),
  };
}

function documentConflicts(conflicts: readonly ReportConflict[]): DocumentTree['conflicts'] {
  return conflicts.map(({ topic, viewpoints, resolution, reason }) => ({
    topic,
    viewpoints: viewpoints.map(({ statement, citations, places = [] }) => ({
      statement,
      sources: citations,
      places: places.map(({ n, start, end }) => ({ source: n, start, end })),
    })),
    resolution,
    reason,
  }));
}

function sincePart(since: SinceLast | undefined): DocumentPart[] {
  if (since === undefined) return [];
  return [{ id: 'since', title: writingTexts.sinceHeading, markdown: sinceMarkdown(since) }];
}

/** Maximum context on either side of a quote, in UTF-16 units. */
const CONTEXT_CHARS = 300;
/** Longer strings are no words, as in a text without spaces, and are cut anywhere. */
const MAX_WORD_CHARS = 40;

const SENTENCE_END = /[.!?]["”’)\]]*\s+(?=[\p{Lu}\p{N}"“(#*[])|[。！？]|\n\s*/gu;
const BROKEN_START = new RegExp(`^(?:\\S{0,${MAX_WORD_CHARS}}\\s+|[\\uDC00-\\uDFFF])`);
const BROKEN_END = new RegExp(`(?:\\s+\\S{0,${MAX_WORD_CHARS}}|[\\uD800-\\uDBFF])$`);

/** Text around a quote, cut between sentences if possible, else between words; empty if the quote is not at its offsets. */
function textAround(
  text: string | null,
  { quote, start, end }: { quote: string; start: number; end: number },
): { before: string; after: string } {
  if (text === null || text.slice(start, end) !== quote) return { before: '', after: '' };
  const [from, to] = [Math.max(0, start - CONTEXT_CHARS), Math.min(text.length, end + CONTEXT_CHARS)];
  const [before, after] = [text.slice(from, start), text.slice(end, to)];
  return {
    before: from === 0 ? before : fromSentence(before),
    after: to === text.length ? after : toSentence(after),
  };
}

/** Minimum length that is left after a cut between sentences. */
const MIN_CONTEXT_CHARS = CONTEXT_CHARS / 2;

function fromSentence(before: string): string {
  const [first] = before.matchAll(SENTENCE_END);
  const at = first === undefined ? before.length : first.index + first[0].length;
  return before.length - at >= MIN_CONTEXT_CHARS ? before.slice(at) : before.replace(BROKEN_START, '');
}

function toSentence(after: string): string {
  const last = [...after.matchAll(SENTENCE_END)].at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return at >= MIN_CONTEXT_CHARS ? after.slice(0, at) : after.replace(BROKEN_END, '');
}
