import { arrowsBetween, arrowsToDraw } from './arrows.mjs';
import { importsWithin } from './imports.mjs';
import { measureShape } from './measure-shape.mjs';

/** A checkout's `src` as Markdown: a table of sizes, and a diagram of which room uses which. */
export function drawStructure(checkout) {
  const modules = importsWithin(checkout);
  return `${sizes(checkout, modules)}\n\n${diagram(arrowsBetween(modules))}\n`;
}

function sizes(checkout, modules) {
  const { files, medianLines, coreLines, folders } = measureShape(checkout);
  const longest = files.reduce((one, other) => (other.lines > one.lines ? other : one));
  const ofSrc = folders.filter(({ path }) => path.startsWith('src'));
  const fullest = ofSrc.reduce((one, other) => (other.files > one.files ? other : one));
  const rows = [
    ['TypeScript files in `src`', files.length],
    ['median of their lines', medianLines],
    ['longest file', `${longest.lines} lines, \`${longest.path}\``],
    [
      'files that stand in a circle of imports, types counted',
      modules.filter((file) => file.isInCircle).length,
    ],
    ['fullest folder', `${fullest.files} files, \`${fullest.path}/\``],
    ['folders with more than 25 files', ofSrc.filter(({ files: count }) => count > 25).length],
    ['lines of `src/core`', coreLines],
  ];
  return ['| what | how much |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

function diagram(arrows) {
  const rooms = [...new Set([...arrows].flatMap(([from, to]) => [from, ...to]))].sort();
  const nameOf = (room) => room.replace(/\W+/g, '_');
  const lines = arrowsToDraw(arrows)
    .map(({ from, to, isCircle }) => `  ${nameOf(from)} ${isCircle ? '==>' : '-->'} ${nameOf(to)}`)
    .sort();
  return [
    '```mermaid',
    'flowchart TD',
    ...rooms.map((room) => `  ${nameOf(room)}["${room}"]`),
    ...lines,
    '```',
  ].join('\n');
}
