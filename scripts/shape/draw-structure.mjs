import { arrowsBetween, arrowsToDraw } from './arrows.mjs';
import { codeOf, isOfSrc } from './files.mjs';
import { importsWithin } from './imports.mjs';

/** A checkout's `src` as Markdown: a table of sizes, and a diagram of which room uses which. */
export function drawStructure(checkout) {
  const modules = importsWithin(checkout);
  return `${sizes(checkout, modules)}\n\n${diagram(arrowsBetween(modules))}\n`;
}

function sizes(checkout, modules) {
  const files = codeOf(checkout, isOfSrc);
  const longest = files.reduce((one, other) => (other.lines > one.lines ? other : one));
  const rows = [
    ['TypeScript files in `src`', files.length],
    ['longest file', `${longest.lines} lines, \`${longest.path}\``],
    [
      'files that stand in a circle of imports, types counted',
      modules.filter((file) => file.isInCircle).length,
    ],
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
