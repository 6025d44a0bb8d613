import { readdirSync, readFileSync } from 'node:fs';

/** Bytes of a process and all below it, with pages that several share counted once; null where the system does not tell. */
export function memoryWithChildren(pid: number): number | null {
  try {
    const parents = new Map(
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), parentOf(name)]),
    );
    const family = new Set([pid]);
    // Children may have lower numbers than their parents, where numbers have begun anew.
    for (let grown = true; grown;) {
      const children = [...parents].filter(([child, parent]) => family.has(parent) && !family.has(child));
      for (const [child] of children) family.add(child);
      grown = children.length > 0;
    }
    return [...family].reduce((sum, member) => sum + proportionalBytes(member), 0);
  } catch {
    return null;
  }
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may itself have spaces and brackets.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // it has ended meanwhile
  }
}

function proportionalBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1_024;
}
