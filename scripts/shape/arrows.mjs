/** Of these folders the rooms are drawn; of all others the folder. */
const IN_A_ROOM = /^src\/((?:activities|engines|stores|workflows)\/[^/]+)\//;

/** What a file is drawn as: `cli`, `engines/openai`; files beside the folders go by their first word, as `worker*.ts`. */
export function roomOf(file) {
  const [, top, ...below] = file.split('/');
  if (below.length === 0) return `${top.split(/[-.]/)[0]}*.ts`;
  return IN_A_ROOM.exec(file)?.[1] ?? top;
}

/** Which rooms use which: room → the rooms that its files import from. */
export function arrowsBetween(modules) {
  const arrows = new Map();
  for (const { file, imports } of modules) {
    const from = roomOf(file);
    if (!arrows.has(from)) arrows.set(from, new Set());
    for (const imported of imports) if (roomOf(imported) !== from) arrows.get(from).add(roomOf(imported));
  }
  return arrows;
}

/** Every room that can be come to from this one. */
function reachFrom(start, arrows) {
  const reached = new Set();
  const open = [start];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    for (const next of arrows.get(room) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/**
 * The arrows that a drawing needs: those of circles, and those that no way round others tells. `cli → core` is left out
 * where `cli → client → core` stands.
 */
export function arrowsToDraw(arrows) {
  const reach = new Map([...arrows.keys()].map((room) => [room, reachFrom(room, arrows)]));
  const leads = (from, to) => reach.get(from)?.has(to) === true;
  const isCircle = (one, other) => leads(one, other) && leads(other, one);
  const isTold = (from, to, via) =>
    via !== to && leads(via, to) && !isCircle(via, to) && !isCircle(from, via);
  return [...arrows].flatMap(([from, all]) =>
    [...all]
      .filter((to) => isCircle(from, to) || ![...all].some((via) => isTold(from, to, via)))
      .map((to) => ({ from, to, isCircle: isCircle(from, to) })),
  );
}
