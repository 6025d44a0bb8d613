import { citationMark, citedIds, replaceMarks } from '../text/citation-marks';

/** A sentence without the citations that do not bear it; as it is where that would be all of them. */
export function withCitationsOf(text: string, borne: ReadonlySet<string>): string {
  if (!citedIds(text).some((id) => borne.has(id))) return text;
  return replaceMarks(text, (ids) => {
    const kept = ids.filter((id) => borne.has(id));
    return kept.length === 0 ? '' : citationMark(kept);
  }).replace(/\s+(?=[.,;:!?)])/g, '');
}
