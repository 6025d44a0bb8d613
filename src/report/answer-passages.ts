import type { AnswerPassage } from '../contracts/answer';
import type { CriticisedClaim, Critique, Evidence } from '../contracts/finding';
import type { SourceWindow } from '../contracts/source';
import { groupBy } from '../lib/iterables';
import { stripUnsafe, withoutEncodedText } from '../lib/untrusted-text';
import { NO_OBSERVATIONS, passageLabel, passageNumber } from './answer-citations';
import { citedDocumentId } from './answer-confidence';

/** A passage as shown to a writer; `compressed` replaces its text. */
export type ShownPassage = Pick<AnswerPassage, 'id' | 'sourceId' | 'document' | 'pages' | 'text'> & {
  compressed?: string | undefined;
};

/** Document 003's context: passages grouped by document, both in order of first appearance. */
export function groupedContext(passages: readonly ShownPassage[]): string {
  const groups = groupBy(passages, ({ sourceId }) => sourceId);
  return joinContext(
    [...groups.values()].map((group) =>
      [`=== ${documentLine(group)} ===`, group.map(labelledPassage).join('\n\n')].join('\n'),
    ),
  );
}

export function flatContext(passages: readonly ShownPassage[]): string {
  return joinContext(
    passages.map((passage) => {
      const { pages } = passage;
      const label = `[${passageLabel(passageNumber(passage), pages)}]`;
      return `${label} ${documentLine([passage])}\n${passageText(passage)}`;
    }),
  );
}

function joinContext(blocks: readonly string[]): string {
  return blocks.length === 0 ? NO_OBSERVATIONS : blocks.join('\n\n');
}

function labelledPassage(passage: ShownPassage): string {
  return `[${passageLabel(passageNumber(passage), passage.pages)}]\n${passageText(passage)}`;
}

function documentLine([passage]: readonly ShownPassage[]): string {
  return oneLine(passage?.document ?? '').replace(/={2,}/g, '=');
}

/** One line, so that no text can pass for a label or for a document heading. */
function passageText({ text, compressed }: ShownPassage): string {
  return oneLine(compressed ?? text);
}

function oneLine(text: string): string {
  return withoutEncodedText(stripUnsafe(text)).replace(/\s+/g, ' ').trim();
}

/** A passage as a source whose id is the passage's id; offsets are into the passage. */
export function passageWindow({ id, text, ...passage }: AnswerPassage): SourceWindow {
  const { title, author, site, publishedAt, work, summaryOnly = false } = passage;
  return {
    sourceId: id,
    title,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(work === undefined ? {} : { work }),
    quality: { level: 'general', reason: '' },
    summaryOnly,
    passages: [{ text, start: 0, end: text.length, headings: [] }],
  };
}

export function passagesByWork(passages: readonly AnswerPassage[]): string[][] {
  return [...groupBy(passages, citedDocumentId).values()]
    .filter(({ length }) => length > 1)
    .map((of) => of.map(({ id }) => id));
}

/** Document 003: minimum number of documents with this many passages each. */
const MIN_DOCUMENTS = 2;
const MIN_PASSAGES_EACH = 2;

export interface SynthesisMode {
  active: boolean;
  /** Number of distinct documents, without graphs. */
  sourceDocumentCount: number;
}

export function synthesisMode(
  passages: readonly Pick<AnswerPassage, 'sourceId' | 'origin'>[],
): SynthesisMode {
  const documents = groupBy(
    passages.filter(({ origin }) => origin === 'text'),
    ({ sourceId }) => sourceId,
  );
  const withSeveral = [...documents.values()].filter(({ length }) => length >= MIN_PASSAGES_EACH);
  return { active: withSeveral.length >= MIN_DOCUMENTS, sourceDocumentCount: documents.size };
}

/** Converts a critique to the ids of the passages in `now`; ids of dropped passages are removed. `of` is null if it names sources. */
export function critiqueForPassages(
  critique: Critique,
  { of, now }: { of: readonly AnswerPassage[] | null; now: readonly AnswerPassage[] },
): Critique {
  const names = of === null ? passageIdsBySource(now) : renumberedIds(of, now);
  const namesOf = (id: string): readonly string[] => names.get(id) ?? [];
  const named = (evidence: Evidence | null): Evidence | null => {
    const [sourceId] = evidence === null ? [] : namesOf(evidence.sourceId);
    return evidence === null || sourceId === undefined ? null : { ...evidence, sourceId };
  };
  const retold = ({ betterSourceId, ...claim }: CriticisedClaim): CriticisedClaim => {
    const [better] = betterSourceId === undefined ? [] : namesOf(betterSourceId);
    return {
      ...claim,
      sourceIds: [...new Set(claim.sourceIds.flatMap(namesOf))],
      evidence: named(claim.evidence),
      ...(better === undefined ? {} : { betterSourceId: better }),
    };
  };
  return {
    ...critique,
    unsupportedClaims: critique.unsupportedClaims.map(retold),
    conflictingEvidence: critique.conflictingEvidence.map(retold),
  };
}

function renumberedIds(
  before: readonly AnswerPassage[],
  now: readonly AnswerPassage[],
): ReadonlyMap<string, readonly string[]> {
  const place = ({ sourceId, start, end }: AnswerPassage): string => JSON.stringify([sourceId, start, end]);
  const ids = new Map(now.map((passage) => [place(passage), passage.id]));
  return new Map(
    before.map((passage) => {
      const id = ids.get(place(passage));
      return [passage.id, id === undefined ? [] : [id]];
    }),
  );
}

function passageIdsBySource(now: readonly AnswerPassage[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { sourceId, id } of now) ids.set(sourceId, [...(ids.get(sourceId) ?? []), id]);
  return ids;
}

type LocatedPassage = Pick<AnswerPassage, 'id' | 'sourceId' | 'start'>;

/** Converts the passage ids and offsets of a rejected claim to source ids and offsets into the sources. */
export function rejectedClaimInSources<Claim extends CriticisedClaim>(
  claim: Claim,
  passages: readonly LocatedPassage[],
): Claim {
  const sourceOf = (id: string): string => passages.find((passage) => passage.id === id)?.sourceId ?? id;
  const { evidence, quotes, betterSourceId, sourceIds } = claim;
  return {
    ...claim,
    sourceIds: [...new Set(sourceIds.map(sourceOf))],
    ...(betterSourceId === undefined ? {} : { betterSourceId: sourceOf(betterSourceId) }),
    evidence: evidence === null ? null : evidenceInSource(evidence, passages),
    ...(quotes === undefined ? {} : { quotes: quotes.map((quote) => evidenceInSource(quote, passages)) }),
  };
}

export function evidenceInSource(evidence: Evidence, passages: readonly LocatedPassage[]): Evidence {
  const passage = passages.find(({ id }) => id === evidence.sourceId);
  if (passage === undefined) return evidence;
  const { sourceId, start: by } = passage;
  return { ...evidence, sourceId, start: evidence.start + by, end: evidence.end + by };
}
