import type { Results } from '../../texts/writing';
import type { DraftClaim } from '../../contracts/report/draft';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { checkedConfidence } from '../../core/evidence/confidence';
import { distinctEvidence } from '../../core/evidence/distinct-evidence';
import { tellVotes } from '../../core/writing/vote-count';
import { bears } from '../../reading/question/bearing';
import { readQuestion } from '../../reading/question/question';
import { effectTold } from '../../reading/statements/effect-told';
import { type BearingOf, outcomeIn } from './outcome-asked';

/** Fewer sources are read one by one (document 002: three citations for a major claim). */
const WORTH_COUNTING = 3;
/** Over a whole report two on the very outcome that is asked for are already an answer. */
export const WORTH_ANSWERING = 2;
/** What agrees makes each other surer where it is so much of what was read. */
const MOST = 0.5;

/** What the first result of a source says. */
interface Vote {
  sourceId: string;
  findingId: string;
  confidence: number;
  effect: 'effect' | 'none';
}

/** What votes are counted of: findings, and how they bear on the question that they are held against. */
interface Poll {
  question: string;
  findings: readonly Finding[];
  bearingOf: BearingOf;
}

/**
 * What a text's findings come to, where the question asks what something does: how many of their sources report an effect and how
 * many none, each by the strongest of its quotes that says so of what is asked for. Null where that is not asked, or where there is
 * little to count.
 */
export function voteClaim(poll: Poll, leastAsked = WORTH_COUNTING): DraftClaim | null {
  const asked = readQuestion(poll.question);
  if (!asked.asksForEffect) return null;
  const { isNamed, isOn } = outcomeIn(poll.findings, asked, poll.bearingOf);
  return claimOf(
    votesIn(poll, (quoted) => isOn(quoted) && bears(poll.bearingOf(quoted).ofCause)),
    isNamed ? { which: 'asked', least: leastAsked } : { which: 'all', least: WORTH_COUNTING },
    poll,
  );
}

/** A sentence that many documents share is told once, by the first of them. */
function votesIn({ findings }: Poll, counts: (quoted: Evidence) => boolean): Vote[] {
  const strongestFirst = [...findings].sort(
    (a, b) => b.confidence - a.confidence || b.citations.length - a.citations.length,
  );
  const results = strongestFirst.flatMap(({ id, confidence, evidence }) =>
    evidence.flatMap((item) => {
      const effect = counts(item) ? effectTold(item.quote) : null;
      return effect === null ? [] : [{ ...item, findingId: id, confidence, effect }];
    }),
  );
  const first = results.filter(
    ({ sourceId }, at) => results.findIndex((other) => other.sourceId === sourceId) === at,
  );
  const distinct = new Set(distinctEvidence(first, new Map()).map(({ sourceId }) => sourceId));
  return first.filter(({ sourceId }) => distinct.has(sourceId));
}

function claimOf(
  votes: readonly Vote[],
  { which, least }: { which: Results; least: number },
  { findings }: Poll,
): DraftClaim | null {
  if (votes.length < least) return null;
  const cited = new Set(findings.flatMap(({ citations }) => citations)).size;
  const reporting = (wanted: Vote['effect']): string[] =>
    votes.filter(({ effect }) => effect === wanted).map(({ sourceId }) => sourceId);
  const count = { effect: reporting('effect'), none: reporting('none') };
  return {
    text: tellVotes(count, { which, cited }),
    findingIds: [...new Set(votes.map(({ findingId }) => findingId))],
    confidence: checkedConfidence({
      confidence: Math.min(...votes.map(({ confidence }) => confidence)),
      distinctEvidence: votes.length > MOST * cited ? votes.length : 1,
      authoritative: false,
      conflicting: count.effect.length > 0 && count.none.length > 0,
    }),
  };
}
