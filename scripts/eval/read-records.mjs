import { readFileSync } from 'node:fs';
import { UsageError } from './usage-error.mjs';

const kinds = {
  text: (value) => typeof value === 'string',
  list: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
};

/**
 * The records of a file with one JSON object a line. `keys` are those that each must have, with `text`, `list` or `boolean` as
 * what stands under them.
 */
export function readRecords(file, keys) {
  return linesOf(file).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const place = `${file} line ${at + 1}`;
    const record = parsed(line, place);
    for (const [key, kind] of Object.entries(keys)) {
      if (record[key] === undefined) throw new UsageError(`${place} has no "${key}".`);
      if (!kinds[kind](record[key])) throw new UsageError(`${place}: "${key}" is no ${kind}.`);
    }
    return [record];
  });
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new UsageError(`${file} cannot be read: ${reason}.`);
  }
}

function parsed(line, place) {
  try {
    // Python writes what is no number as a bare NaN.
    const record = JSON.parse(line.replace(/(?<=": )NaN(?=[,}])/g, 'null'));
    if (typeof record === 'object' && record !== null) return record;
  } catch {
    // said below
  }
  throw new UsageError(`${place} is no JSON object.`);
}
