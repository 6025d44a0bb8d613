import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomOf } from './arrows.mjs';
import { measureShape } from './measure-shape.mjs';

export const LIMITS = { fileLines: 250, medianLines: 60, coreLines: 6_000, folderFiles: 25 };

/** Folders of tests that mirror another tree than `src`, and such as whole tests share. */
const NOT_OF_SRC = /^tests\/(system|support|model-server|scripts|training)(\/|$)/;

/** Each a sentence that says which file or folder, what is wrong with it, and what to do. */
export function shapeProblems(root) {
  const { files, medianLines, coreLines, folders } = measureShape(root);
  const problems = files
    .filter(({ lines }) => lines > LIMITS.fileLines)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, more than ${LIMITS.fileLines}: give what it does for a second reason a file of its own.`,
    );
  if (medianLines > LIMITS.medianLines) {
    problems.push(
      `Half of the files of src have more than ${LIMITS.medianLines} lines (median ${medianLines}): split the longest, ${longest(files)}.`,
    );
  }
  if (coreLines > LIMITS.coreLines) {
    const inCore = files.filter(({ path }) => path.startsWith('src/core/'));
    problems.push(
      `src/core has ${coreLines} lines, more than ${LIMITS.coreLines}: move out what is not true for every engine and subject; the longest are ${longest(inCore)}.`,
    );
  }
  for (const { path, files: count } of folders) {
    if (count > LIMITS.folderFiles) {
      problems.push(
        `${path}/ has ${count} files beside each other, more than ${LIMITS.folderFiles}: give it rooms, folders by what belongs together.`,
      );
    }
  }
  return [...problems, ...strayTests(folders), ...undrawnRooms(root, files)];
}

function longest(files) {
  return [...files]
    .sort((one, other) => other.lines - one.lines)
    .slice(0, 3)
    .map(({ path, lines }) => `${path} (${lines})`)
    .join(', ');
}

function strayTests(folders) {
  const known = new Set(folders.map(({ path }) => path));
  return folders
    .filter(({ path, files }) => path.startsWith('tests/') && files > 0 && !NOT_OF_SRC.test(path))
    .map(({ path }) => ({ path, tested: path.replace(/^tests/, 'src') }))
    .filter(({ tested }) => !known.has(tested))
    .map(
      ({ path, tested }) =>
        `${path}/ tests ${tested}/, which is not there: move the tests to where what they test lies, or to tests/system/.`,
    );
}

/** The drawing's arrows change with any import, its rooms seldom: those are held. */
function undrawnRooms(root, files) {
  const file = join(root, 'docs', 'structure.md');
  if (!existsSync(file)) return [];
  const [, now = ''] = readFileSync(file, 'utf8').split('\n## Now\n');
  const drawn = new Set([...now.matchAll(/^ {2}\w+\["(.+)"\]$/gm)].map(([, room]) => room));
  const rooms = new Set(files.map(({ path }) => roomOf(path)));
  const away = [...drawn].filter((room) => !rooms.has(room));
  const missing = [...rooms].filter((room) => !drawn.has(room));
  return [
    ...missing.map((room) => `docs/structure.md does not draw ${room}: run \`npm run draw\`.`),
    ...away.map((room) => `docs/structure.md draws ${room}, which is not there: run \`npm run draw\`.`),
  ];
}
