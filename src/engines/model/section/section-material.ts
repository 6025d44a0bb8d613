import type { Finding } from '../../../contracts/report/finding';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { statementWording } from '../../../core/settled-text/statement-wording';
import { terms } from '../../../language/words';
import { findingShortIds } from '../../../steps/material/short-ids';
import { citableIds } from '../../../steps/write-section/prompt';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import type { WriteSummaryInput } from '../../../steps/write-summary/contract';
import { judgeSentence } from '../../../verification/judge-sentence';
import { type Echoes, NO_ECHOES } from '../grounding/echoes';
import { createGrounding, type Grounding } from '../grounding/grounding';
import { comparableText, withoutEndMarks } from '../../../verification/quotes/comparable-text';

/** What words tell of a sentence beside what it cites, with the findings that it tells of. */
export type SentenceBacking =
  | { verdict: 'close'; findingIds: string[]; sourceIds: string[] }
  /** It keeps close to a sentence that a critic confirmed. */
  | { verdict: 'confirmed'; findingIds: string[]; sourceIds: string[] }
  /** The findings by how many of the sentence's words they have, the most first. */
  | { verdict: 'undecided'; findingIds: string[]; sourceIds: string[] };

/** What a writer was given, as its text is held against it. */
export interface SectionMaterial {
  voice: Voice;
  grounding: Grounding;
  echoes: Echoes;
  /** The sources behind a short id that may be cited: the source itself, or those of a finding, where a model cites one. */
  sourcesOf(shortId: string): readonly string[];
  /** Holds a sentence against the quotes of the sources that it cites; null where no finding rests on one of them. */
  backing(sentence: string, sourceIds: readonly string[]): SentenceBacking | null;
  /** Whether a sentence that cites nothing keeps close to any of the quotes. */
  isClose(sentence: string): boolean;
  /** A finding in its own words, with its citations; null for one that was not given. */
  ownWords(findingId: string): string | null;
  /** Whether a text stands in one of the quotes, word for word. */
  isQuoted(text: string): boolean;
}

/** A report quotes; a brief says what summaries say, as they say it. */
export type Voice = 'report' | 'brief';

/** A sentence tells of several findings where each has nearly as many of its words as the best. */
const NEARLY_BEST = 0.6;

/** A quote with what rests on it. */
interface Borne {
  sourceId: string;
  quote: string;
  findingIds: readonly string[];
  /** The sources that may be cited for what it says. */
  citations: readonly string[];
  /** True for a sentence of the report that a critic confirmed, which is no quote. */
  isTold: boolean;
}

export function createSectionMaterial(
  input: Pick<WriteSectionInput, 'question' | 'findings' | 'conflicts' | 'sources'> & {
    told?: WriteSummaryInput['told'];
  },
  about: readonly string[],
  echoes: Echoes = NO_ECHOES,
  voice: Voice = 'report',
): SectionMaterial {
  const sources = citableIds(input);
  const described = new Map(input.sources.map((source) => [source.sourceId, source]));
  const ids = findingShortIds(input.findings);
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  const wording =
    voice === 'report' ? sentenceWording(input.findings, described) : statementWording(input.findings);
  const evidence = voice === 'report' ? borneBy(input) : borneBy(withoutOwnViews(input));
  const grounding = createGrounding([
    input.question,
    ...about,
    ...input.findings.map(({ claim }) => claim),
    ...evidence.map(({ quote }) => quote),
    ...input.conflicts.flatMap(({ topic, reason }) => [topic, reason]),
    ...input.sources.map(({ title, author, site, publishedAt }) =>
      [title, author, site, publishedAt].join('\n'),
    ),
  ]);
  const quotes = evidence.filter(({ isTold }) => !isTold).map(({ quote }) => comparableText(quote).text);
  const titles = input.sources.map(({ title }) => comparableText(title).text);

  const judged = (sentence: string, cited: readonly Borne[]): ReturnType<typeof judgeSentence> => {
    const named = [...new Set(cited.map(({ sourceId }) => sourceId))].flatMap(
      (id) => described.get(id) ?? [],
    );
    const findings = new Set(cited.flatMap(({ findingIds }) => findingIds));
    return judgeSentence(sentence, {
      passages: cited.map(({ quote }) => quote),
      attribution: named.flatMap(({ author = '', publishedAt = '' }) => [author, publishedAt.slice(0, 10)]),
      numbersFrom: [
        ...named.map(({ title }) => title),
        // The numbers of a finding's claim were looked up in its sources when it was found.
        ...[...findings].flatMap((id) => byId.get(id)?.claim ?? []),
      ],
    });
  };

  return {
    voice,
    grounding,
    echoes,
    sourcesOf(shortId) {
      const source = sources.idOf(shortId);
      const named = source === undefined ? byId.get(ids.idOf(shortId) ?? '')?.citations : [source];
      return (named ?? []).filter((id) => described.has(id));
    },
    backing(sentence, sourceIds) {
      const cited = evidence.filter(({ citations }) => citations.some((id) => sourceIds.includes(id)));
      const findingIds = nearestFindings(sentence, cited);
      if (findingIds.length === 0) return null;
      const judgement = judged(sentence, cited);
      if (judgement.verdict !== 'close')
        return { verdict: 'undecided', findingIds, sourceIds: [...sourceIds] };
      const bearing = judgement.passages.flatMap((at) => cited[at] ?? []);
      const held = new Set(bearing.flatMap(({ citations }) => citations));
      return {
        verdict: bearing.every(({ isTold }) => isTold) ? 'confirmed' : 'close',
        findingIds: [...new Set(bearing.flatMap((one) => one.findingIds))],
        sourceIds: sourceIds.filter((id) => held.has(id)),
      };
    },
    isClose: (sentence) => judged(sentence, evidence).verdict === 'close',
    ownWords: (findingId) => wording.ownWords(findingId)?.text ?? null,
    isQuoted(text) {
      const wanted = withoutEndMarks(comparableText(text).text);
      return [...quotes, ...titles].some((quote) => quote.includes(wanted));
    },
  };
}

/** A conflict of statements that are all given bears nothing that they do not bear themselves, each by its own. */
function withoutOwnViews<Input extends Pick<WriteSectionInput, 'findings' | 'conflicts'>>(
  input: Input,
): Input {
  const own = new Set(input.findings.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)));
  const conflicts = input.conflicts.map((conflict) => ({
    ...conflict,
    viewpoints: conflict.viewpoints.map((view) => ({
      ...view,
      evidence: view.evidence.filter(({ quote }) => !own.has(quote)),
    })),
  }));
  return { ...input, conflicts };
}

/** A source that only contradicts a finding is cited for the conflict that it stands in. */
function borneBy({
  findings,
  conflicts,
  told = [],
}: Pick<WriteSectionInput, 'findings' | 'conflicts'> & { told?: WriteSummaryInput['told'] }): Borne[] {
  const known = new Set(findings.map(({ id }) => id));
  const quotedIn = (evidence: Finding['evidence'], rest: Pick<Borne, 'findingIds' | 'citations'>): Borne[] =>
    evidence.map(({ sourceId, quote }) => ({ sourceId, quote, isTold: false, ...rest }));
  return [
    ...findings.flatMap(({ id, evidence, citations }) => quotedIn(evidence, { findingIds: [id], citations })),
    ...conflicts.flatMap(({ findingIds, viewpoints }) => {
      const own = findingIds.filter((id) => known.has(id));
      return viewpoints.flatMap(({ evidence, citations }) =>
        quotedIn(evidence, { findingIds: own, citations }),
      );
    }),
    ...told.map(({ text, findingIds }) => {
      const own = findings.filter(({ id }) => findingIds.includes(id));
      const citations = own.flatMap((finding) => finding.citations);
      const of = { findingIds: own.map(({ id }) => id), citations };
      return { sourceId: citations[0] ?? '', quote: text, isTold: true, ...of };
    }),
  ].filter(({ findingIds }) => findingIds.length > 0);
}

/** The findings of the quotes by how many of the sentence's words these have, the most first; none where they have none. */
function nearestFindings(sentence: string, cited: readonly Borne[]): string[] {
  const own = new Set(terms(sentence));
  const shared = ({ quote }: Borne): number => new Set(terms(quote).filter((term) => own.has(term))).size;
  const ranked = cited.map((one) => ({ one, score: shared(one) })).sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  if (best === 0) return [];
  return [
    ...new Set(
      ranked.filter(({ score }) => score >= best * NEARLY_BEST).flatMap(({ one }) => one.findingIds),
    ),
  ];
}
