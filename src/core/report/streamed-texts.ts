import type { RunEventBody } from '../../contracts/run/event';
import type { Report } from '../../contracts/report/report';
import { type CitingReport, renderCitations, reportLabels } from './citation-numbers';

/** A section's text as far as events have told it, in its newest generation. */
export interface SectionText {
  generation: number;
  /** Where `text` begins in the section's text: 0, unless the events began in the middle of it. UTF-16 units. */
  start: number;
  /** Markdown; citations are marks, `[@id]` or `[@id; @id]`. */
  text: string;
  /** Whether that is all of it; then only a newer generation changes it. */
  isWritten: boolean;
}

/** By the section's id, in the order in which they first came. */
export type SectionTexts = ReadonlyMap<string, SectionText>;

/** Each section's text out of a run's events; other events may be among them. */
export function sectionTexts(events: Iterable<RunEventBody>): SectionTexts {
  let texts: SectionTexts = new Map();
  for (const event of events) texts = sectionTextsAfter(texts, event);
  return texts;
}

/**
 * The texts with one more event, for who follows a run. An event that was told before changes nothing; where events are
 * missing, a text begins anew behind the gap, and its `start` says so.
 */
export function sectionTextsAfter(texts: SectionTexts, event: RunEventBody): SectionTexts {
  switch (event.type) {
    case 'section-restarted': {
      const { section, generation } = event.payload;
      const known = texts.get(section);
      if (known !== undefined && generation <= known.generation) return texts;
      return new Map(texts).set(section, { generation, start: 0, text: '', isWritten: false });
    }
    case 'content-chunk': {
      const { section, generation, offset, text } = event.payload;
      const known = texts.get(section);
      const grown = continued(known, { generation, start: offset, text, isWritten: false });
      return grown === known ? texts : new Map(texts).set(section, grown);
    }
    case 'section-written': {
      const { section, generation, chars } = event.payload;
      const known = texts.get(section) ?? { generation, start: 0, text: '', isWritten: false };
      const isTold = known.generation === generation && known.start + known.text.length >= chars;
      if (!isTold || known.isWritten) return texts;
      // A writer that was taken for dead may have said more; what counts is what was said to be whole.
      const text = known.text.slice(0, Math.max(0, chars - known.start));
      return new Map(texts).set(section, { ...known, text, isWritten: true });
    }
    default:
      return texts;
  }
}

function continued(known: SectionText | undefined, chunk: SectionText): SectionText {
  if (known === undefined || chunk.generation > known.generation) return chunk;
  if (chunk.generation < known.generation || known.isWritten) return known;
  const end = known.start + known.text.length;
  if (chunk.start > end) return chunk;
  const further = chunk.text.slice(end - chunk.start);
  return further === '' ? known : { ...known, text: known.text + further };
}

/** A section's text as the report has it: its numbers, `[1][2]`, or addresses in place of the marks. */
export function withReportCitations(text: string, report: CitingReport): string {
  return renderCitations(text, reportLabels(report));
}

/** The ids of the report's sections whose text is not, or not yet, the one that the report has; none where all is told. */
export function sectionsUnlikeReport(
  texts: SectionTexts,
  report: CitingReport & Pick<Report, 'sections'>,
): string[] {
  return report.sections
    .filter(({ id, markdown }) => {
      const told = texts.get(id);
      return told?.start !== 0 || withReportCitations(told.text, report) !== markdown;
    })
    .map(({ id }) => id);
}
