import { basename, extname } from 'node:path';
import { isRecord } from '../../core/values/is-record';
import { frontMatterBlock } from '../formats/front-matter';
import { titleOf } from '../source-title';
import words from './data/subtopic-keys.json';
import { hasProse } from './has-prose';
import { firstUnder, namedFields } from './named-fields';
import { parseSubtopic } from './parse-subtopic';
import type { SubtopicReading } from './subtopic-reading';

/**
 * The subtopic of a note: its text is the summary exactly as it stands, links, footnotes and its own list of sources included;
 * front matter has the title, `sources`, `citations`, and the address of a note on one source. An index that says nothing itself
 * is none, and what it holds instead is told.
 */
export function readNote(text: string, file: string): SubtopicReading | { ok: 'index'; message: string } {
  const block = frontMatterBlock(text);
  if (!block.ok) return block;
  const { content, unclosed } = block;
  // What is not written out, aliases of YAML, is not followed: few lines of them make very many values.
  const told: unknown = block.fields?.toJSON();
  const said = isRecord(told) ? told : {};
  if (!hasProse(content)) {
    const name = basename(file, extname(file)).toLowerCase();
    if (words.indexes.includes(name)) return { ok: 'index', message: 'it has no prose, and is no subtopic' };
    return {
      ok: false,
      message: 'the note has no prose: give it a text that says what was found, or take it out of the folder',
    };
  }
  const { fields } = namedFields(said, words.note);
  const own = ownSource(said);
  const reading = parseSubtopic({
    title: fields.title ?? titleOf(content, file),
    summary: content,
    citations: fields.citations,
    sources: own === null ? fields.sources : [...listOf(fields.sources), own],
  });
  if (!reading.ok || !unclosed) return reading;
  const remark =
    'it begins with --- and fields, as front matter does, and no --- closes them; all of it is taken for text';
  return { ...reading, remarks: [remark, ...reading.remarks] };
}

/** What a note with an address of its own is about: that source, as its front matter describes it. */
function ownSource(said: Record<string, unknown>): Record<string, unknown> | null {
  if (firstUnder(said, words.source.url) === undefined) return null;
  const { content: _content, id: _id, pages: _pages, ...described } = namedFields(said, words.source).fields;
  return described;
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
