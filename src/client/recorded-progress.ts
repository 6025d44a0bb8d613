import type { RunEvent } from '../contracts/run/event';
import type { Progress, Warning } from '../contracts/run/run';
import { briefPercentDone } from '../core/run/brief-messages';
import { LAST_PASS } from '../core/run/pass-messages';
import { percentDone } from '../core/run/progress';
import { sectionTexts } from '../core/report/streamed-texts';
import type { DescribedRun } from './described-run';

export function recordedProgress(
  { runId, kind, memo, startedAt }: DescribedRun,
  events: readonly RunEvent[],
): Progress {
  const outline = latestOutline(events);
  const sections = outline?.payload.sections ?? [];
  const doneIds = sectionsDone(memo.pass.name, events);
  const done = doneIds.size;
  const current = sections.find(({ id }) => !doneIds.has(id)) ?? sections.at(-1);
  const percentOf = kind === 'brief' ? briefPercentDone : percentDone;
  // What is checked of sections no event tells.
  const showsSections =
    kind === 'brief' ? memo.pass.name === 'write' : ['deep-dive', 'report'].includes(memo.pass.name);
  const hasEnded = memo.status === 'completed' || memo.status === 'partial';
  return {
    runId,
    kind,
    status: memo.status,
    pass: { ...memo.pass, of: kind === 'report' ? LAST_PASS : memo.pass.of },
    section:
      !showsSections || current === undefined
        ? null
        : {
            index: Math.min(done, sections.length),
            of: sections.length,
            id: current.id,
            title: current.title,
          },
    percent: hasEnded ? 100 : percentOf(memo.pass.name, { done, of: sections.length }),
    waiting: memo.waiting ?? null,
    parked: memo.parked ?? null,
    usage: memo.usage.total,
    warnings: events.flatMap((event): Warning[] => (event.type === 'warning' ? [event.payload] : [])),
    startedAt: startedAt.toISOString(),
    updatedAt: events.at(-1)?.at ?? startedAt.toISOString(),
  };
}

/** By section id; empty before there is an outline. */
export function sectionTitles(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const outline = latestOutline(events);
  return new Map(outline?.payload.sections.map(({ id, title }) => [id, title]));
}

/** An outline may be replaced by a person's, or planned anew with further sources. */
function latestOutline(
  events: readonly RunEvent[],
): Extract<RunEvent, { type: 'outline-generated' }> | undefined {
  return events.findLast((event) => event.type === 'outline-generated');
}

function sectionsDone(pass: Progress['pass']['name'], events: readonly RunEvent[]): Set<string> {
  if (pass === 'deep-dive')
    return new Set(
      events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
    );
  if (pass !== 'report' && pass !== 'write') return new Set();
  return new Set([...sectionTexts(events)].filter(([, { isWritten }]) => isWritten).map(([id]) => id));
}
