import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { SourceRecord } from '../../contracts/source/source';
import { cutLongText } from '../../core/text/cut-long-text';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { groupedBy } from '../../core/values/grouped-by';
import { createIdentifier } from '../identify';
import { parseRecord } from '../parse-record';
import type { ObservedPiece } from './observed-piece';

/** A piece with the place of its observation, from 1. */
export interface PlacedPiece extends ObservedPiece {
  observation: number;
}

export type ObservedDocument = SourceRecord & { id: string; title: string };

/** A passage that was given, in the order of the observations; `content.slice(start, end) === text` of its document. */
type GivenPassage = AnswerPassage;

export interface GatheredDocuments {
  documents: ObservedDocument[];
  passages: GivenPassage[];
  problems: { observation: number; message: string }[];
}

/** What a passage scores of which no similarity is told: neither well nor badly. */
const UNTOLD_SIMILARITY = 0.5;
const BETWEEN = '\n\n';
const MAX_NAME_CHARS = 200;
/** A passage of a text that came in one piece is about as long as what a retrieval finds. */
const PASSAGE_CHARS = { most: 1_600, least: 400 };

/** One document for each file or address, with its texts in the order of their pages, and a passage for each text. */
export function gatherDocuments(pieces: readonly PlacedPiece[]): GatheredDocuments {
  const identify = createIdentifier();
  const gathered: GatheredDocuments = { documents: [], passages: [], problems: [] };
  const found: { at: number; passage: Omit<AnswerPassage, 'id'> }[] = [];
  const placed = pieces.map((piece, at) => ({ ...piece, at }));
  for (const group of groupedBy(placed, documentKey).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { content, texts } = joined(group);
    const { name, title, url } = namesOf(group);
    const pages = texts.flatMap(({ piece, start, end }) =>
      piece.pages === null ? [] : [{ number: piece.pages.from, start, end }],
    );
    const record = { title, content, ...(pages.length === 0 ? {} : { pages }) };
    const withUrl = parseRecord({ ...record, ...(url === null ? {} : { url }) });
    if (!withUrl.ok) gathered.problems.push({ observation: first.observation, message: withUrl.message });
    const reading = withUrl.ok ? withUrl : parseRecord(record);
    const source = identify({ name: 'observations', file: null }, reading);
    if (!source.ok) {
      gathered.problems.push({ observation: first.observation, message: source.problem.message });
      continue;
    }
    gathered.documents.push(source.record);
    const of = {
      sourceId: source.record.id,
      document: name,
      title: source.record.title,
      url: source.record.url ?? null,
    };
    for (const { piece, start } of texts) {
      for (const part of cutLongText(piece.text, PASSAGE_CHARS)) {
        const text = piece.text.slice(part.start, part.end);
        const span = { start: start + part.start, end: start + part.end, text };
        const score = piece.similarity ?? UNTOLD_SIMILARITY;
        found.push({
          at: piece.at,
          passage: { ...of, pages: piece.pages, ...span, origin: piece.origin, score },
        });
      }
    }
  }
  const inOrder = found.sort((a, b) => a.at - b.at);
  gathered.passages = inOrder.map(({ passage }, at) => ({ id: `P${at + 1}`, ...passage }));
  return gathered;
}

/** An address, a file and a title name a document; a text without any is one by itself. What graphs say is kept apart. */
function documentKey({ source, title, url, origin, at }: PlacedPiece & { at: number }): string {
  const named = url ?? source ?? title;
  return named === null ? `${at}` : JSON.stringify([named, origin]);
}

type Placed = PlacedPiece & { at: number };

/** The texts one after the other, in the order of their pages; a text that stands twice is there once. */
function joined(group: readonly Placed[]): {
  content: string;
  texts: { piece: Placed; start: number; end: number }[];
} {
  const best = new Map<string, Placed>();
  for (const piece of group) {
    const known = best.get(piece.text);
    const isBetter = (piece.similarity ?? 0) > (known?.similarity ?? 0);
    if (known === undefined || isBetter) best.set(piece.text, { ...piece, at: known?.at ?? piece.at });
  }
  const ordered = [...best.values()].sort((a, b) => pageOf(a) - pageOf(b) || a.at - b.at);
  let content = '';
  const texts = ordered.map((piece) => {
    const start = content === '' ? 0 : content.length + BETWEEN.length;
    content = content === '' ? piece.text : `${content}${BETWEEN}${piece.text}`;
    return { piece, start, end: content.length };
  });
  return { content, texts };
}

function pageOf({ pages }: ObservedPiece): number {
  return pages?.from ?? Number.MAX_SAFE_INTEGER;
}

/** A file is called by its name, else a document by its title; an address that nothing else names, by itself. */
function namesOf(group: readonly Placed[]): { name: string; title: string; url: string | null } {
  const given = (key: 'source' | 'title' | 'url'): string | null =>
    group.find((piece) => piece[key] !== null)?.[key] ?? null;
  const [source, title] = [given('source'), given('title')];
  const isAddress = source !== null && /^https?:\/\//i.test(source);
  const file = source === null || isAddress ? null : source.split(/[\\/]/).findLast((part) => part !== '');
  const url = given('url') ?? (isAddress ? source : null);
  const observation = `Observation ${group[0]?.observation ?? 1}`;
  const name = shown(file ?? title ?? url ?? observation) || observation;
  return { name, title: shown(title ?? name) || name, url };
}

function shown(name: string): string {
  return stripUnsafe(name).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
}
