import type { ReportConflict } from '../contracts/report/report';
import type { ConflictChange, DiffConflict, ReportDiff } from '../contracts/report/report-diff';
import { favouredView } from '../core/evidence/favoured-view';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { terms } from '../language/words';
import { sharedWords } from './compare-quotes';
import { pairBestFirst } from './pair-best-first';
import { keysOf, type ReportSide, sourceChanges, sourcesOf } from './report-side';

/** Topics that share this much of their words may be one topic under two names. */
const LIKE_TOPIC = 0.5;
/** A conflict that lives on has two of its views in both reports. */
const LEAST_VIEWS = 2;

interface View {
  statement: string;
  key: string;
  sources: ReadonlySet<string>;
}

interface ComparedConflict {
  conflict: ReportConflict;
  topicKey: string;
  topicTerms: readonly string[];
  views: readonly View[];
  favoured: number | null;
}

type ConflictsDiff = ReportDiff['conflicts'] & { unchanged: number };

/** Conflicts are one where their views quote or cite the same on a like topic, else where they have the same topic. */
export function diffConflicts(before: ReportSide, after: ReportSide): ConflictsDiff {
  const [ones, others] = [compared(before), compared(after)];
  const pairs = pairBestFirst(ones, others, likeness);
  const taken = new Map([...pairs].map(([at, against]) => [against, at]));
  const matched = others.flatMap((other, against) => {
    const one = ones[taken.get(against) ?? -1];
    if (one === undefined) return [];
    const changes = changesOf({ side: before, conflict: one }, { side: after, conflict: other });
    return [{ before: diffConflict(one, before), after: diffConflict(other, after), changes }];
  });
  const changed = matched.filter(({ changes }) => changes.length > 0);
  return {
    opened: others.filter((_other, at) => !taken.has(at)).map((conflict) => diffConflict(conflict, after)),
    closed: ones.filter((_one, at) => !pairs.has(at)).map((conflict) => diffConflict(conflict, before)),
    changed,
    unchanged: matched.length - changed.length,
  };
}

function compared(side: ReportSide): ComparedConflict[] {
  return side.report.conflicts.map((conflict) => ({
    conflict,
    topicKey: sentenceKey(conflict.topic),
    topicTerms: terms(conflict.topic),
    views: conflict.viewpoints.map(({ statement, citations }) => ({
      statement,
      key: sentenceKey(statement),
      sources: keysOf(side, citations),
    })),
    favoured: favouredView(conflict.resolution),
  }));
}

function likeness(one: ComparedConflict, other: ComparedConflict): number {
  const sameTopic = one.topicKey === other.topicKey;
  const topics = sharedWords(one.topicTerms, other.topicTerms);
  const views = pairViews(one, other, sameTopic || topics >= LIKE_TOPIC);
  if (views.size < LEAST_VIEWS && !sameTopic) return 0;
  const equal = [...views].filter(([at, against]) => one.views[at]?.key === other.views[against]?.key).length;
  return 1 + views.size + equal + topics;
}

/** The views of one side: those of one statement, then those that a source holds in both. */
function pairViews(one: ComparedConflict, other: ComparedConflict, likeTopic: boolean): Map<number, number> {
  return pairBestFirst(one.views, other.views, (view, rival) => {
    const sameSources = likeTopic && [...view.sources].some((source) => rival.sources.has(source));
    return (view.key === rival.key ? 2 : 0) + (sameSources ? sharedWords(view.sources, rival.sources) : 0);
  });
}

function changesOf(
  before: { side: ReportSide; conflict: ComparedConflict },
  after: { side: ReportSide; conflict: ComparedConflict },
): ConflictChange[] {
  const [one, other] = [before.conflict, after.conflict];
  const views = pairViews(one, other, true);
  const paired = new Set(views.values());
  const favouredStays =
    one.favoured === null ? other.favoured === null : views.get(one.favoured) === other.favoured;
  return [
    ...(one.topicKey === other.topicKey
      ? []
      : [{ kind: 'topic' as const, before: one.conflict.topic, after: other.conflict.topic }]),
    ...one.views.flatMap((view, at): ConflictChange[] => {
      const partner = other.views[views.get(at) ?? -1];
      return view.key === partner?.key
        ? []
        : [{ kind: 'viewpoint', before: view.statement, after: partner?.statement ?? null }];
    }),
    ...other.views.flatMap((view, at): ConflictChange[] =>
      paired.has(at) ? [] : [{ kind: 'viewpoint', before: null, after: view.statement }],
    ),
    ...sourceChanges(
      { side: before.side, keys: allSources(one) },
      { side: after.side, keys: allSources(other) },
    ),
    ...(favouredStays
      ? []
      : [{ kind: 'resolution' as const, before: favouredStatement(one), after: favouredStatement(other) }]),
  ];
}

function allSources({ views }: ComparedConflict): Set<string> {
  return new Set(views.flatMap(({ sources }) => [...sources]));
}

function favouredStatement({ favoured, views }: ComparedConflict): string | null {
  return favoured === null ? null : (views[favoured]?.statement ?? null);
}

function diffConflict(compared: ComparedConflict, side: ReportSide): DiffConflict {
  const { conflict, views } = compared;
  return {
    topic: conflict.topic,
    viewpoints: views.map(({ statement, sources }) => ({ statement, sources: sourcesOf(side, sources) })),
    favoured: favouredStatement(compared),
    reason: conflict.reason,
  };
}
