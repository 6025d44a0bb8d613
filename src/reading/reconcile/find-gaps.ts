import { distinctBy } from '../../core/values/distinct-by';
import { whoIsRight } from '../../core/evidence/who-is-right';
import { favouredView } from '../../core/evidence/favoured-view';
import { quotation } from '../../core/writing/quotation';
import { withinSentence } from '../../core/writing/within-sentence';
import type { Conflict, Finding, Gap } from '../../contracts/report/finding';

export interface GapInput {
  sections: readonly { section: { id: string; title: string }; findings: readonly Finding[] }[];
  conflicts: readonly Conflict[];
  /** Sources that have none of the question's words in title, headings or text; absent where a model was asked. */
  silent?: SilentSources | undefined;
}

export interface SilentSources {
  titles: readonly string[];
  /** How many sources were read. */
  of: number;
}

const MOST = 8;
const MOST_NAMED = 10;

/**
 * Lists the gaps of a report: conflicts without a favoured side, and with a model sections without a finding. Without a model it
 * also names the sources in which none of the question's words occur.
 */
export function findGaps({ sections, conflicts, silent }: GapInput): Gap[] {
  const empty = sections.filter(({ findings }) => findings.length === 0);
  const gaps = [
    // Without a model a section is a group of quotes, and its lack of findings says nothing about the sources.
    ...(silent === undefined ? empty.map(emptySection) : []),
    ...conflicts.filter(({ resolution }) => favouredView(resolution) === null).map(openConflict),
  ];
  const named = silent === undefined || silent.titles.length === 0 ? [] : [silentGap(silent)];
  return [...distinctBy(gaps, ({ question }) => question).slice(0, MOST), ...named];
}

function silentGap({ titles, of }: SilentSources): Gap {
  const more = titles.length - MOST_NAMED;
  const names = titles.slice(0, MOST_NAMED).map(quotation).join(', ');
  return {
    question: 'Sources with nothing on the question',
    reason: `None of the question’s words stands in ${titles.length} of the ${of} sources: ${names}${more > 0 ? `, and ${more} more` : ''}.`,
  };
}

function emptySection({ section: { id, title } }: GapInput['sections'][number]): Gap {
  return {
    question: `What do the sources say about ${withinSentence(title)}?`,
    reason: 'The report has a section on this, and no finding was made for it.',
    sectionId: id,
  };
}

function openConflict({ topic, viewpoints }: Conflict): Gap {
  const counts = viewpoints.map(({ citations }) => citations.length);
  return {
    question: whoIsRight(topic),
    reason: `They contradict each other (${against(counts)}), and nothing favours one side.`,
  };
}

/** `2 against 1`. */
function against([count = 0, ...others]: readonly number[]): string {
  return others.length === 0 ? `${count}` : `${count} against ${against(others)}`;
}
