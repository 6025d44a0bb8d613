import { givenTextOf } from '../../platform/given-text';
import { splitFrontMatter } from './front-matter';
import { parseRecord } from '../parse-record';
import { hashOf } from '../source-id';
import type { RecordReading } from '../source-reading';

const UNCLOSED =
  'it begins with --- and fields, as front matter does, and no --- closes them; all of it is taken for text';

/** The one record of Markdown or text: front matter, where there is one, and the text after it as it stands. */
export function readText(bytes: Buffer, ending: string): RecordReading {
  const given = givenTextOf(bytes);
  if (!given.ok) return given;
  const parts = splitFrontMatter(given.text);
  if (!parts.ok) return parts;
  if (parts.content.trim() === '') return { ok: false, message: 'there is no text after the front matter' };
  const mediaType = ending === '.md' ? 'text/markdown' : 'text/plain';
  const facts = { mediaType, ...parts.fields, sha256: hashOf(bytes) };
  const reading = parseRecord({ ...facts, content: parts.content });
  if (!reading.ok) return reading;
  const remarks = [...(parts.unclosed ? [UNCLOSED] : []), ...reading.remarks];
  return { ...reading, remarks, unknown: parts.unknown };
}
