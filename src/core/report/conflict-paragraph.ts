import { citationMark } from '../citation-marks';
import type { Conflict, Viewpoint } from '../contracts/finding';
import { type Attributable, attributionOf } from '../writing/attribution';
import { inert, quotedIfVerbatim } from '../writing/quotation';
import { shorten } from '../writing/shorten';

const VIEWPOINT_WORDS = 40;

/** `**Topic.** Doe (2005) reports “X” [@a], while Roe (2010) reports “Y” [@b].` Why they may differ, and what follows. */
export function conflictParagraph(conflict: Conflict, sources: ReadonlyMap<string, Attributable>): string {
  const views = conflict.viewpoints.map((viewpoint) => viewpointText(viewpoint, sources));
  const topic = inert(conflict.topic).replace(/\.$/, '');
  const title = topic.charAt(0).toUpperCase() + topic.slice(1);
  return `**${title}.** ${views.join(', while ')}. ${inert(conflict.reason)} ${resolutionText(conflict.resolution)}`;
}

function viewpointText(viewpoint: Viewpoint, sources: ReadonlyMap<string, Attributable>): string {
  const first = viewpoint.evidence[0]?.sourceId ?? viewpoint.citations[0] ?? '';
  const { subject, plural } = attributionOf(sources.get(first) ?? { title: first });
  const others = new Set(viewpoint.citations.filter((id) => id !== first)).size;
  const company = others === 0 ? '' : ` and ${others === 1 ? 'one more source' : `${others} more sources`}`;
  const statement = quotedIfVerbatim(viewpoint.statement, viewpoint.evidence, (text) =>
    shorten(text, VIEWPOINT_WORDS),
  );
  const cited = citationMark([...new Set([first, ...viewpoint.citations])]);
  return `${inert(subject)}${company} ${plural || others > 0 ? 'report' : 'reports'} ${statement} ${cited}`;
}

function resolutionText(resolution: string): string {
  const favoured = /^favor_viewpoint_(\d+)$/.exec(resolution)?.[1];
  return favoured === undefined ? 'Both views are presented.' : `The evidence favours view ${favoured}.`;
}
