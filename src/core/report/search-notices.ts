import { reportTexts } from '../../texts/report';
import type { ReportCitation } from '../../contracts/report/report';
import type { SearchAccount } from '../../contracts/run/search';
import { inert } from '../writing/quotation';

/** What a reader is told first of how sources were found, in Markdown; none where all were given. */
export function searchNotices(search: SearchAccount | null, citations: readonly ReportCitation[]): string[] {
  const withdrawn = citations.flatMap(({ title, retracted }) => (retracted === true ? [inert(title)] : []));
  const retracted = withdrawn.length === 0 ? [] : [reportTexts.retractedCited(withdrawn)];
  if (search === null) return retracted;
  const { indexes, queries, rounds, works } = search;
  const having = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const [abstracts, unread] = [having('abstract'), having('unread')];
  const read = works.length - unread;
  const told = { indexes, rounds, queries: queries.length, found: works.length, read, abstracts, unread };
  return [reportTexts.searched(told), ...retracted];
}
