import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of a checkout whose shape is held. */
const MEASURED = ['src', 'tests', 'scripts'];

/** @returns {{ files: { path: string, lines: number }[], folders: { path: string, files: number }[] }} */
function walk(root, path) {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`);
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => walk(root, `${path}/${name}`));
  return {
    files: [
      ...files.map((file) => ({ path: file, lines: linesOf(join(root, file)) })),
      ...below.flatMap((folder) => folder.files),
    ],
    folders: [{ path, files: files.length }, ...below.flatMap(({ folders }) => folders)],
  };
}

function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted.length === 0 ? 0 : (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** How long the TypeScript of `src` is, how long that of `src/core`, and how many files lie beside each other anywhere. */
export function measureShape(root) {
  const measured = MEASURED.filter((folder) => existsSync(join(root, folder))).map((folder) =>
    walk(root, folder),
  );
  const code = measured
    .flatMap(({ files }) => files)
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts'));
  return {
    files: code,
    medianLines: median(code.map(({ lines }) => lines)),
    coreLines: code
      .filter(({ path }) => path.startsWith('src/core/'))
      .reduce((sum, { lines }) => sum + lines, 0),
    folders: measured.flatMap(({ folders }) => folders),
  };
}
