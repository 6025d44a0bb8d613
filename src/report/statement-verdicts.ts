import type { ClaimVerdict, Evidence } from '../contracts/finding';
import type { VerifiedClaim, VerifiedReport } from '../contracts/verified-report';
import { countVerdicts } from '../evidence/decide-statement';
import { attributedQuotations, comparableText, type QuotableSource } from '../evidence/quotations';
import {
  createVerifier,
  type RelevantPassages,
  type Verifier,
  type VerifierSource,
} from '../evidence/verifier';
import { groupBy } from '../lib/iterables';
import { withoutOwnRemarks } from './claims';

const TOPIC = /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_\n]{1,120}[.:])(?:\*\*|__)\s/;

/** A statement that only frames verbatim quotations is supported. Remarks that reports add to claims are ignored. */
export function verifyStatement(
  { plain, markdown }: { plain: string; markdown: string },
  sourceIds: readonly string[],
  held: PreparedSources,
): ClaimVerdict {
  if (sourceIds.length === 0) {
    return {
      verdict: 'unchecked',
      code: 'no-passage',
      reason: 'What it cites is not among the given sources.',
      evidence: null,
      probability: null,
    };
  }
  const claim = withoutOwnRemarks(plain);
  const quoted = attributedQuotations(withoutTopic(claim, markdown), held.cited(sourceIds));
  return quoted === null ? held.verify(claim, sourceIds) : supportedBy(quoted);
}

/** `**Bone density.** Doe reports: …`: bold text at the start is a heading, unless it has a number. */
function withoutTopic(claim: string, markdown: string): string {
  const topic = TOPIC.exec(markdown)?.[1] ?? '';
  return topic !== '' && claim.startsWith(topic) && !/\p{N}/u.test(topic) ? claim.slice(topic.length) : claim;
}

function supportedBy(places: readonly Evidence[]): ClaimVerdict {
  return {
    verdict: 'supported',
    code: 'same-words',
    reason:
      places.length === 1 ? 'It quotes its source word for word.' : 'It quotes its sources word for word.',
    evidence: places[0] ?? null,
    probability: 1,
  };
}

export interface PreparedSources {
  cited(sourceIds: readonly string[]): QuotableSource[];
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
  look(claim: string, sourceIds: readonly string[]): RelevantPassages;
}

/** Prepares sources on first use. `definitions` are texts that define the claims' abbreviations, such as the report. */
export function prepareSources(
  sources: readonly GivenSource[],
  definitions: readonly string[],
): PreparedSources {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const ready = new Map<string, QuotableSource>();
  let verifier: Verifier | undefined;
  const ofAll = (): Verifier => {
    verifier ??= createVerifier({ sources: sources.map(verifierSource), definitions });
    return verifier;
  };
  return {
    cited: (ids) =>
      ids.flatMap((id) => {
        const source = byId.get(id);
        if (source === undefined) return [];
        const held = ready.get(id) ?? prepareSource(source);
        ready.set(id, held);
        return [held];
      }),
    verify: (claim, ids) => ofAll().verify(claim, ids),
    look: (claim, ids) => ofAll().look(claim, ids),
  };
}

function verifierSource(source: GivenSource): VerifierSource {
  return { sourceId: source.id, content: source.content, attribution: attributionFields(source) };
}

function prepareSource(source: GivenSource): QuotableSource {
  const { id, content } = source;
  return { id, content, attribution: attributionFields(source), comparable: comparableText(content) };
}

function attributionFields({ author, publishedAt, title, site }: GivenSource): string[] {
  return [author, publishedAt, title, site].filter((told) => told !== undefined);
}

export type FoundVerdict = ClaimVerdict & Pick<VerifiedClaim, 'saidElsewhere'>;

export function withVerdicts(
  report: VerifiedReport,
  verdicts: ReadonlyMap<string, FoundVerdict>,
  sources: readonly GivenSource[],
): VerifiedReport {
  const claims = report.claims.map((claim): VerifiedClaim => {
    const verdict = verdicts.get(claim.id);
    if (verdict === undefined) return claim;
    const { id, text, line, start, end, heading, citations } = claim;
    return { id, text, line, start, end, heading, citations, ...verdict };
  });
  return {
    ...report,
    claims,
    audit: auditOf(claims, report.audit.uncited),
    sources: { ...report.sources, titles: titlesOfSources(claims, sources) },
  };
}

export function auditOf(claims: readonly VerifiedClaim[], uncited: number): VerifiedReport['audit'] {
  return { ...countVerdicts(claims), open: claims.filter(isOpen).length, uncited };
}

export function titlesOfSources(
  claims: readonly VerifiedClaim[],
  sources: readonly GivenSource[],
): VerifiedReport['sources']['titles'] {
  const named = new Set(
    claims.flatMap(({ evidence, betterSourceId, saidElsewhere = [], notBorneBy = [] }) => [
      evidence?.sourceId,
      betterSourceId,
      ...saidElsewhere.map(({ sourceId }) => sourceId),
      ...notBorneBy,
    ]),
  );
  return Object.fromEntries(sources.filter(({ id }) => named.has(id)).map(({ id, title }) => [id, title]));
}

/** `supported`; for an open claim with its probability by words: `unchecked 0.43`. */
export function verdictName(claim: Pick<VerifiedClaim, 'verdict' | 'code' | 'probability'>): string {
  const { verdict, probability } = claim;
  return isOpen(claim) && probability !== null ? `${verdict} ${probability.toFixed(2)}` : verdict;
}

/** True if the cited sources were given but did not decide. */
export function isOpen({ verdict, code }: Pick<ClaimVerdict, 'verdict' | 'code'>): boolean {
  return verdict === 'unchecked' && code !== 'no-passage';
}

export interface OpenClaim {
  /** All occurrences: claims with equal text and sources are one. */
  ids: string[];
  plain: string;
  sourceIds: string[];
  evidence: Evidence[];
  /** Uncited sources that may state the missing part. */
  elsewhere: string[];
  byWords: ClaimVerdict;
}

/** In the order of the report. Claims that words show to be supported are not open. */
export function openClaims({ claims }: Pick<VerifiedReport, 'claims'>, held: PreparedSources): OpenClaim[] {
  const open = claims
    .filter(({ verdict, code }) => verdict !== 'supported' && code !== 'no-passage')
    .map((claim) => ({
      claim,
      plain: withoutOwnRemarks(claim.text),
      sourceIds: [...new Set(claim.citations.flatMap(({ sourceId }) => sourceId ?? []))],
    }));
  const same = groupBy(open, ({ plain, sourceIds }) => JSON.stringify([plain, [...sourceIds].sort()]));
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { plain, sourceIds, claim } = first;
    const { cited, elsewhere } = held.look(plain, sourceIds);
    if (cited.length === 0) return [];
    const { verdict, code, reason, evidence, probability, betterSourceId } = claim;
    const better = betterSourceId === undefined ? [] : [betterSourceId];
    return {
      ids: group.map((one) => one.claim.id),
      plain,
      sourceIds,
      evidence: cited,
      elsewhere: [...new Set([...better, ...elsewhere])],
      byWords: {
        verdict,
        code,
        reason,
        evidence,
        probability,
        ...(betterSourceId === undefined ? {} : { betterSourceId }),
      },
    };
  });
}

/** Adds the uncited sources; null if there are none. */
export function withMoreSources(claim: OpenClaim, held: PreparedSources): OpenClaim | null {
  if (claim.elsewhere.length === 0) return null;
  const sourceIds = [...claim.sourceIds, ...claim.elsewhere];
  return { ...claim, sourceIds, evidence: held.look(claim.plain, sourceIds).cited };
}

/** A citable source with its text. A `SourceRecord` with an id and a title fits. */
export interface GivenSource {
  id: string;
  title: string;
  content: string;
  url?: string | undefined;
  file?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
}
