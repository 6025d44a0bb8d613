import type { OutlinePlan, OutlineSection, ScoredSource } from '../../contracts/outline';
import { capitalised } from '../../lib/strings';
import { clip } from '../../report/attribution';
import { descriptionOf, NO_ANSWER_THEME, themeOfTitles } from '../../report/ranked-outline';
import type { OutlineInput } from '../../steps/outline-sections';
import { answerableProbability, answerableThreshold, START_THRESHOLD } from '../../text/answerability';
import { type Collection, indexSources } from '../../text/collection';
import type { Encoder } from '../../text/encoder';
import { readIndexed } from '../../text/features';
import { type Question, readQuestion } from '../../text/question';
import { rankByMeaning, type RankedSentence } from '../../text/ranking';
import { DEFAULT_LIMITS, nearBestFor, selectSentences, sourcesNearBest } from '../../text/sentence-selection';
import { splitSentences } from '../../text/sentences';
import { groupSources, type SourceGroup } from '../../text/source-groups';

const MAX_RANKED_SENTENCES = 2_000;
/** Document 002. */
const MAX_SECTIONS = 8;
/** As many sources as 8 sections can cover. */
const MAX_SOURCES = 400;
const NEAREST = 5;
const RELEVANCE_RANGE = { least: 0.55, most: 0.95 };
/** A near-duplicate joins the sections of its original, with a slightly lower relevance. */
const COPY_SHARE = 0.95;
const LARGE = 30;

/** Groups the sentences that answer the question by the phrases that they share. */
export async function outlineExtractively(
  { question, sources, counts }: OutlineInput,
  encoder: Encoder | null = null,
): Promise<OutlinePlan> {
  const asked = readQuestion(question);
  const copies = findCopies(sources);
  // Sort by id, so that the order of the input does not break ties.
  const distinct = sources
    .filter(({ sourceId }) => !copies.all.has(sourceId))
    .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  const collection = indexSources(
    distinct.map(({ sourceId, title, summary, held }) => ({
      id: sourceId,
      title,
      sentences: splitSentences(summary).map(({ text }) => text),
      alsoHolds: held,
    })),
  );
  const reading = readIndexed(asked, collection, counts);
  const ranked = await rankByMeaning(encoder, reading, { most: MAX_RANKED_SENTENCES });
  const leastLikely = asked.asksWhether ? START_THRESHOLD : answerableThreshold(asked, ranked[0]);
  const isAnswered = answerableProbability(reading, ranked) >= leastLikely;
  const nearBest = nearBestFor(counts?.sentences ?? collection.texts.length, asked);
  const chosen = isAnswered
    ? [
        ...new Set([
          ...selectSentences(ranked, collection, { ...DEFAULT_LIMITS, nearBest }),
          ...sourcesNearBest(ranked, distinct.length, nearBest).slice(0, MAX_SOURCES),
        ]),
      ]
    : [];
  if (chosen.length === 0) return unansweredOutline(ranked, collection);
  const relevance = relevances(chosen, collection);
  const titles = new Map(distinct.map(({ sourceId, title }) => [sourceId, title]));
  const sections = groupsOf(chosen, collection, { titles, asked }).map(
    ({ phrase, sourceIds }, at, all): OutlineSection => {
      const title = headingOf(phrase, { sourceIds, titles, isOnly: all.length === 1 });
      return {
        id: `section-${at + 1}`,
        title,
        description: descriptionOf(title),
        subsections: [],
        relevantSources: addNearDuplicates(
          sourceIds.map((sourceId) => ({ sourceId, relevance: relevance.get(sourceId) ?? 0 })),
          copies.of,
        ),
      };
    },
  );
  return { overallTheme: themeOf(sections), sections };
}

function unansweredOutline(ranked: readonly RankedSentence[], { sources }: Collection): OutlinePlan {
  const nearest = [...new Set([...ranked.map(({ source }) => source), ...sources.keys()])].slice(0, NEAREST);
  return {
    overallTheme: NO_ANSWER_THEME,
    sections: [],
    unanswered: { nearest: nearest.flatMap((source) => sources[source]?.id ?? []) },
  };
}

function relevances(chosen: readonly RankedSentence[], { sources }: Collection): Map<string, number> {
  const best = Math.max(...chosen.map(({ coverage }) => coverage));
  const scores = new Map<string, number>();
  for (const { source, coverage } of chosen) {
    const id = sources[source]?.id ?? '';
    const share = best === 0 ? 1 : coverage / best;
    const relevance = RELEVANCE_RANGE.least + (RELEVANCE_RANGE.most - RELEVANCE_RANGE.least) * share;
    scores.set(id, Math.max(scores.get(id) ?? 0, Math.round(100 * relevance) / 100));
  }
  return scores;
}

function groupsOf(
  chosen: readonly RankedSentence[],
  { sources, texts }: Collection,
  { titles, asked }: { titles: ReadonlyMap<string, string>; asked: Question },
): SourceGroup[] {
  const ids = [...new Set(chosen.map(({ source }) => sources[source]?.id ?? ''))];
  if (!asked.asksForEffect && ['date', 'name', 'number', 'whether', 'definition'].includes(asked.kind))
    return [{ phrase: null, sourceIds: ids }];
  const said = [...new Set(chosen.map(({ source }) => source))].flatMap((source) => {
    const { id, from, to } = sources[source] ?? { id: '', from: 0, to: 0 };
    const answers = chosen
      .filter((one) => one.source === source)
      .map(({ sentence }) => texts[sentence] ?? '');
    return [{ id, title: titles.get(id) ?? '', sentences: texts.slice(from, to), answers }];
  });
  const limits = { most: MAX_SECTIONS, least: ids.length < LARGE ? 2 : 5 };
  return groupSources(said, new Set(asked.words), limits);
}

function addNearDuplicates(
  sources: readonly ScoredSource[],
  copiesOf: ReadonlyMap<string, readonly string[]>,
): ScoredSource[] {
  return sources
    .flatMap(({ sourceId, relevance }) => [
      { sourceId, relevance },
      ...(copiesOf.get(sourceId) ?? []).map((id) => ({
        sourceId: id,
        relevance: Math.round(100 * relevance * COPY_SHARE) / 100,
      })),
    ])
    .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1));
}

function themeOf(sections: readonly OutlineSection[]): string {
  return sections.length > 1
    ? themeOfTitles(sections.map(({ title }) => title))
    : 'What follows is quoted from the sources that bear on the question most.';
}

interface NearDuplicates {
  all: ReadonlySet<string>;
  of: ReadonlyMap<string, readonly string[]>;
}

function findCopies(
  sources: readonly { sourceId: string; nearDuplicateOf?: string | undefined }[],
): NearDuplicates {
  const known = new Set(sources.map(({ sourceId }) => sourceId));
  const of = new Map<string, string[]>();
  for (const { sourceId, nearDuplicateOf } of sources) {
    if (nearDuplicateOf === undefined || nearDuplicateOf === sourceId || !known.has(nearDuplicateOf))
      continue;
    of.set(nearDuplicateOf, [...(of.get(nearDuplicateOf) ?? []), sourceId].sort());
  }
  return { all: new Set([...of.values()].flat()), of };
}

const MAX_HEADING_CHARS = 120;

function headingOf(
  phrase: string | null,
  {
    sourceIds,
    titles,
    isOnly,
  }: { sourceIds: readonly string[]; titles: ReadonlyMap<string, string>; isOnly: boolean },
): string {
  if (phrase !== null) return clip(capitalised(phrase), MAX_HEADING_CHARS);
  const [first, ...others] = sourceIds;
  const title = titles.get(first ?? '')?.trim() ?? '';
  if (isOnly && others.length === 0 && title !== '') return clip(title, MAX_HEADING_CHARS);
  return isOnly ? 'What the sources report' : 'Further results';
}
