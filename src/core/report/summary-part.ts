import { reportTexts } from '../../texts/report';

/** What claims, events and a judge call the Executive Summary, as they call sections by their ids. */
export const SUMMARY = 'summary';

export function titleOfPart(sections: readonly { id: string; title: string }[]): (id: string) => string {
  const titles = new Map([
    [SUMMARY, reportTexts.headings.summary],
    ...sections.map(({ id, title }) => [id, title] as const),
  ]);
  return (id) => titles.get(id) ?? id;
}
