import { citationMark } from '../text/citation-marks';
import type { Conflict, Viewpoint } from '../../contracts/report/finding';
import { conflictReason } from '../evidence/conflict-reason';
import { favouredView } from '../evidence/favoured-view';
import { type Attributable, attributionOf } from '../writing/attribution';
import { moreSources, ordinal } from '../writing/count';
import { inert, quotedIfVerbatim } from '../writing/quotation';
import { shorten } from '../writing/shorten';
import { capitalised } from '../writing/within-sentence';

const VIEWPOINT_WORDS = 60;
/** By how many there are. */
const ALL = ['', '', 'Both', 'All three', 'All four', 'All five'];

/**
 * `**Topic.** Doe (2005) reports “X” [@a], while Roe (2010) reports “Y” [@b].` Why they may differ, and what follows. More
 * than two views follow one another: `…, while B reports …, and C reports …`.
 */
export function conflictParagraph(conflict: Conflict, sources: ReadonlyMap<string, Attributable>): string {
  const [first = '', ...others] = conflict.viewpoints.map((viewpoint) => viewpointText(viewpoint, sources));
  const last = others.pop() ?? '';
  const views =
    others.length === 0 ? `${first}, while ${last}` : `${first}, while ${others.join(', ')}, and ${last}`;
  const topic = inert(conflict.topic).replace(/\.$/, '');
  const reason = inert(conflictReason(conflict));
  const parts = [`**${capitalised(topic)}.** ${views}.`, reason, resolutionText(conflict, sources)];
  return parts.filter((part) => part !== '').join(' ');
}

function viewpointText(viewpoint: Viewpoint, sources: ReadonlyMap<string, Attributable>): string {
  const first = leadingSource(viewpoint);
  const { subject, plural } = attributionOf(sources.get(first) ?? { title: first });
  const others = new Set(viewpoint.citations.filter((id) => id !== first)).size;
  const company = others === 0 ? '' : ` and ${moreSources(others)}`;
  const statement = quotedIfVerbatim(viewpoint.statement, viewpoint.evidence, (text) =>
    shorten(text, VIEWPOINT_WORDS),
  );
  const cited = citationMark([...new Set([first, ...viewpoint.citations])]);
  return `${inert(subject)}${company} ${plural || others > 0 ? 'report' : 'reports'} ${statement} ${cited}`;
}

function leadingSource(viewpoint: Viewpoint): string {
  return viewpoint.evidence[0]?.sourceId ?? viewpoint.citations[0] ?? '';
}

function resolutionText(
  { resolution, viewpoints }: Conflict,
  sources: ReadonlyMap<string, Attributable>,
): string {
  const favoured = favouredView(resolution);
  const view = favoured === null ? undefined : viewpoints[favoured];
  if (favoured === null || view === undefined)
    return `${ALL[viewpoints.length] ?? 'All'} views are presented.`;
  const first = leadingSource(view);
  const { subject } = attributionOf(sources.get(first) ?? { title: first });
  return `The evidence favours the ${ordinal(favoured)} view, that of ${inert(subject)}.`;
}
