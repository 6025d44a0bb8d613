// Finds modules that are too large (above 600 lines) or too small: under 60 lines and imported by one other module of the
// same room. A module that is loaded lazily may be small.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './checkout.mjs';

const SMALL = 60;
const LARGE = 600;

/** A line of text for each module that is too small or too large. */
export function moduleSizes() {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => join('src', file))
    .filter((file) => /(?<!\.d)\.ts$/.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const importers = new Map(files.map((file) => [file, new Set()]));
  for (const [file, text] of texts) {
    for (const [, name] of text.matchAll(/from '(\.[^']+)'/g)) {
      importers.get(`${relative(root, join(root, dirname(file), name))}.ts`)?.add(file);
    }
  }
  return files.flatMap((file) => {
    const lines = texts.get(file).split('\n').length - 1;
    if (lines > LARGE) return [`${file} has ${lines} lines: split it by subject.`];
    const [only, ...others] = importers.get(file);
    const isSmall = lines < SMALL && others.length === 0 && only?.split('/')[1] === file.split('/')[1];
    return isSmall ? [`${file} has ${lines} lines and one importer: join it with ${only}.`] : [];
  });
}
