/** Level by level, because what is nested without end would end whoever calls himself for it. */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
      for (const part of Object.values(one)) if (typeof part === 'object') below.push(part);
    }
    level = below;
  }
  return level.length > 0;
}
