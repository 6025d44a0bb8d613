import type { Brief } from '../../contracts/brief/brief';
import type { Report } from '../../contracts/report/report';
import { reportOf } from './report-of';

/** A brief as two of them are compared: its parts are sections, and what it states is told as a report's findings are. */
export function briefAsReport(brief: Brief): Report {
  const { parts, claims, citations, setAside, conflicts } = brief;
  return reportOf({
    id: brief.id,
    question: brief.question,
    title: brief.title,
    status: brief.status,
    markdown: brief.markdown,
    conflicts,
    engine: brief.provenance.engine,
    asOf: brief.provenance.asOf,
    sections: parts.map(({ id, title, markdown, citations: cited }) => ({
      id,
      title,
      markdown,
      citations: cited,
    })),
    citations: citations.map(({ inFull, ...citation }) => ({ ...citation, readInFull: inFull })),
    claims: claims.map(({ partId, evidence, ...claim }) => ({
      ...claim,
      sectionId: partId,
      evidence: evidence.map(({ subtopicId: _subtopic, ...place }) => place),
    })),
    setAside: setAside.map(({ partId, from: _from, ...claim }) => ({ ...claim, sectionId: partId })),
  });
}
