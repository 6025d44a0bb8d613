import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { roomOf } from './arrows.mjs';
import { codeOf, filesOf, isOfSrc } from './files.mjs';

/** A longer file says in its head why it is one. What a test's cases are about is said by the name of what they test. */
const LONG = 300;
const MAY_BE_LONG = /(?<!\.test)\.(?:ts|mjs|cjs)$/;
/** A comment before anything else, and the fewest words of one that explains. */
const HEAD = /^(?:#!.*\n)?\s*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/;
const EXPLAINS = 8;

/** Folders of tests that mirror another tree than `src`, and such as whole tests share. */
const NOT_OF_SRC = /^tests\/(golden|system|support|model-server|scripts|training)(\/|$)/;

/** Each a sentence that says which file or folder, what is wrong with it, and what to do. */
export function shapeProblems(root) {
  const files = filesOf(root);
  return [...unexplained(root), ...strayTests(root, files), ...undrawnRooms(root, files.filter(isOfSrc))];
}

function unexplained(root) {
  return codeOf(root, (path) => MAY_BE_LONG.test(path))
    .filter(({ lines, text }) => lines > LONG && wordsOfHead(text) < EXPLAINS)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, more than ${LONG}: begin it with a comment that says why this is one file, or give what it does for a second reason a file of its own.`,
    );
}

function wordsOfHead(text) {
  const [head = ''] = HEAD.exec(text) ?? [];
  return head.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

function strayTests(root, files) {
  const folders = new Set(files.filter((path) => path.startsWith('tests/')).map((path) => dirname(path)));
  return [...folders]
    .filter((path) => !NOT_OF_SRC.test(path))
    .map((path) => ({ path, tested: path.replace(/^tests/, 'src') }))
    .filter(({ tested }) => !existsSync(join(root, tested)))
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
  const rooms = new Set(files.map(roomOf));
  const away = [...drawn].filter((room) => !rooms.has(room));
  const missing = [...rooms].filter((room) => !drawn.has(room));
  return [
    ...missing.map((room) => `docs/structure.md does not draw ${room}: run \`npm run draw\`.`),
    ...away.map((room) => `docs/structure.md draws ${room}, which is not there: run \`npm run draw\`.`),
  ];
}
