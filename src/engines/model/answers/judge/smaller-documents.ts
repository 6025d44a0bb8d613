import type { JudgedDocument } from '../../../../contracts/judge/judged-document';
import { halves } from '../step-answer';

/**
 * A document in two portions, each with the claims and the topics of its parts; a topic that has no part is judged with the
 * first. A single part is judged by every other statement of its topics, and where there is one statement a topic, in two halves
 * of its paragraphs. None where nothing can be parted.
 */
export function smallerDocuments(document: JudgedDocument): JudgedDocument[] {
  const parts = halves(document.parts);
  if (parts !== null) return parts.map((own, at) => portion(document, own, at === 0));
  const topics = document.topics.map((topic) => ({
    ...topic,
    statements: topic.statements.filter((_, at) => at % 2 === 0),
  }));
  if (topics.some(({ statements }, at) => statements.length < (document.topics[at]?.statements.length ?? 0)))
    return [{ ...document, topics }];
  const [part] = document.parts;
  const paragraphs = part === undefined ? null : halves(part.markdown.split(/\n\s*\n/));
  if (part === undefined || paragraphs === null) return [];
  return paragraphs.map((half) => ({ ...document, parts: [{ ...part, markdown: half.join('\n\n') }] }));
}

function portion(document: JudgedDocument, parts: JudgedDocument['parts'], isFirst: boolean): JudgedDocument {
  const own = new Set(parts.map(({ id }) => id));
  const told = new Set(document.parts.map(({ id }) => id));
  return {
    ...document,
    parts,
    claims: document.claims.filter(({ partId }) => own.has(partId) || (isFirst && !told.has(partId))),
    topics: document.topics.filter(({ id }) => own.has(id) || (isFirst && !told.has(id))),
  };
}
