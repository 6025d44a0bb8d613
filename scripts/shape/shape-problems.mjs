import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomOf } from './arrows.mjs';
import { measureShape } from './measure-shape.mjs';

export const LIMITS = { fileLines: 250 };

/** Folders of tests that mirror another tree than `src`, and such as whole tests share. */
const NOT_OF_SRC = /^tests\/(system|support|model-server|scripts|training)(\/|$)/;

/** Each a sentence that says which file or folder, what is wrong with it, and what to do. */
export function shapeProblems(root) {
  const { files, folders } = measureShape(root);
  const problems = files
    .filter(({ lines }) => lines > LIMITS.fileLines)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, more than ${LIMITS.fileLines}: give what it does for a second reason a file of its own.`,
    );
  return [...problems, ...strayTests(folders), ...undrawnRooms(root, files)];
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
