import type { Finding } from '../../../contracts/report/finding';
import { terms } from '../../../language/words';
import { findingShortIds } from '../../../steps/material/short-ids';
import { citableIds } from '../../../steps/material/findings-text';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import { judgeSentence } from '../../../verification/judge-sentence';
import { createGrounding } from '../grounding/grounding';
import { readCitations } from '../markdown/citation-tokens';
import { type CitedMaterial, quotableIn } from './cited-material';

/** A brief says what summaries say, as they say it, and names a citation that does not exist. */
export type Voice = 'report' | 'brief';

/** A sentence tells of several findings where each has nearly as many of its words as the best. */
const NEARLY_BEST = 0.6;

interface Borne {
  sourceId: string;
  quote: string;
  findingIds: readonly string[];
  citations: readonly string[];
}

/** Of the content words of a sentence that cites nothing and connects others, so many stand in the material. */
const LEAST_CONNECTED = 0.5;
/** A number says which citation was meant, and nothing else of what a model wrote. */
const NUMBER = /^\[?\s*[S^]?\s?\d{1,6}\s*\]?$/i;

export function createFindingsMaterial(
  input: Pick<WriteSectionInput, 'question' | 'findings' | 'conflicts' | 'sources'>,
  about: readonly string[],
  voice: Voice = 'report',
): CitedMaterial {
  const sources = citableIds(input);
  const described = new Map(input.sources.map((source) => [source.sourceId, source]));
  const ids = findingShortIds(input.findings);
  const byId = new Map(input.findings.map((finding) => [finding.id, finding]));
  const evidence = borneBy(voice === 'report' ? input : withoutOwnViews(input));
  const told = [
    input.question,
    ...about,
    ...input.findings.map(({ claim }) => claim),
    ...evidence.map(({ quote }) => quote),
    ...input.conflicts.flatMap(({ topic, reason }) => [topic, reason]),
  ];
  const grounding = createGrounding([
    ...told,
    ...input.sources.map(({ title, author, site, publishedAt }) =>
      [title, author, site, publishedAt].join('\n'),
    ),
  ]);
  const isQuoted = quotableIn([
    ...evidence.map(({ quote }) => quote),
    ...input.sources.map(({ title }) => title),
  ]);

  const bearing = (sentence: string, cited: readonly Borne[]): Borne[] => {
    const named = [...new Set(cited.map(({ sourceId }) => sourceId))].flatMap(
      (id) => described.get(id) ?? [],
    );
    const findings = new Set(cited.flatMap(({ findingIds }) => findingIds));
    const judgement = judgeSentence(sentence, {
      passages: cited.map(({ quote }) => quote),
      attribution: named.flatMap(({ author = '', publishedAt = '' }) => [author, publishedAt.slice(0, 10)]),
      numbersFrom: [
        ...named.map(({ title }) => title),
        // The numbers of a finding's claim were looked up in its sources when it was found.
        ...[...findings].flatMap((id) => byId.get(id)?.claim ?? []),
      ],
    });
    return judgement.verdict === 'close' ? judgement.passages.flatMap((at) => cited[at] ?? []) : [];
  };

  return {
    cites: 'source',
    grounding,
    said: createGrounding(told),
    leastOfUncited: 1,
    readCitations: (plain) => readCitations(plain),
    idsOf(name) {
      const source = sources.idOf(name);
      const named = source === undefined ? byId.get(ids.idOf(name) ?? '')?.citations : [source];
      return (named ?? []).filter((id) => described.has(id));
    },
    unknownWarning: (written) =>
      voice === 'brief' && NUMBER.test(written)
        ? `Citation [${written.replace(/[[\]\s]/g, '')}] was written, but does not exist; it was dropped.`
        : null,
    isQuoted,
    restsOn(sentence, sourceIds) {
      const cited = evidence.filter(({ citations }) => citations.some((id) => sourceIds.includes(id)));
      const saying = bearing(sentence, cited);
      const held = new Set(saying.flatMap(({ citations }) => citations));
      const isClose = saying.length > 0 && sourceIds.every((id) => held.has(id));
      const nearest = nearestFindings(sentence, cited);
      const resting = saying.length > 0 ? saying.flatMap((one) => one.findingIds) : nearest;
      return { findingIds: [...new Set(resting)], isClose };
    },
    connects(sentence) {
      if (/\d/.test(sentence) || grounding.strangers(sentence).length > 0) return null;
      if (grounding.share(sentence) < LEAST_CONNECTED) return null;
      return bearing(sentence, evidence).length > 0 ? 'close' : 'undecided';
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
function borneBy({ findings, conflicts }: Pick<WriteSectionInput, 'findings' | 'conflicts'>): Borne[] {
  const known = new Set(findings.map(({ id }) => id));
  const quotedIn = (evidence: Finding['evidence'], rest: Pick<Borne, 'findingIds' | 'citations'>): Borne[] =>
    evidence.map(({ sourceId, quote }) => ({ sourceId, quote, ...rest }));
  return [
    ...findings.flatMap(({ id, evidence, citations }) => quotedIn(evidence, { findingIds: [id], citations })),
    ...conflicts.flatMap(({ findingIds, viewpoints }) => {
      const own = findingIds.filter((id) => known.has(id));
      return viewpoints.flatMap(({ evidence, citations }) =>
        quotedIn(evidence, { findingIds: own, citations }),
      );
    }),
  ].filter(({ findingIds }) => findingIds.length > 0);
}

/** The findings of the quotes by how many of the sentence's words these have, the most first; all of them where they have none. */
function nearestFindings(sentence: string, cited: readonly Borne[]): string[] {
  const own = new Set(terms(sentence));
  const shared = ({ quote }: Borne): number => new Set(terms(quote).filter((term) => own.has(term))).size;
  const ranked = cited.map((one) => ({ one, score: shared(one) })).sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  return [
    ...new Set(
      ranked.filter(({ score }) => score >= best * NEARLY_BEST).flatMap(({ one }) => one.findingIds),
    ),
  ];
}
