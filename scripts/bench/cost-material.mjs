import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { dataFolder } from '../data-folder.mjs';

export const CHARS_PER_TOKEN = 4;
const ARTICLES = 60;

/** The notes of examples/, and each of them with one number of its results changed. */
export function notesToRead() {
  const folder = join(root, 'examples', 'vitamin-d');
  const sources = readdirSync(folder)
    .sort()
    .map((file) => recordOf(readFileSync(join(folder, file), 'utf8')));
  const changes = sources.map((source) => ({ ...source, content: withOneNumberChanged(source.content) }));
  return {
    name: 'notes',
    question: 'Does vitamin D supplementation improve health outcomes, and by how much?',
    sources,
    changes,
  };
}

/** The first of the 500 studies, where they are; else null. */
export function articlesToRead() {
  const file = join(dataFolder, 'studies', 'sources.jsonl');
  if (!existsSync(file)) return null;
  return {
    name: 'articles',
    question: 'Which lifestyle interventions improve health outcomes, and by how much?',
    sources: readLines(file, ARTICLES),
    changes: [],
  };
}

/** The records of a file that has one a line, the first of them. */
export function readLines(file, most = Infinity) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.slice(0, most).map((line) => JSON.parse(line));
}

/** Writes the sources as one file, and gives its path. */
export function writeSources(file, sources) {
  writeFileSync(file, sources.map((source) => `${JSON.stringify(source)}\n`).join(''));
  return file;
}

/** A note's front matter is a line for each key, its value in quotes. */
function recordOf(text) {
  const [, head, content] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text);
  const entries = head.split('\n').map((line) => {
    const [, key, value] = /^(\w+): (.*)$/.exec(line);
    return [key, value.startsWith('"') ? JSON.parse(value) : value];
  });
  return { ...Object.fromEntries(entries), content: content.trim() };
}

/** The last digit of the first number under "Results" is another one. */
function withOneNumberChanged(content) {
  const from = Math.max(0, content.indexOf('## Results'));
  const after = content
    .slice(from)
    .replace(/(?<![\p{L}\d-])(\d+)(?![\d-]*\p{L})/u, (number) => String(Number(number) + 1));
  return content.slice(0, from) + after;
}
