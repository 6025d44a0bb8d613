import type { BriefStatement } from './brief-statements';

/** Statements that stand together, whatever is moved: one with all that leans on it. */
export type Block = BriefStatement[];

export function blocksOf(statements: readonly BriefStatement[]): Block[] {
  const blocks: Block[] = [];
  for (const statement of statements) {
    const last = blocks.at(-1);
    if (statement.leansOn !== null && last?.includes(statement.leansOn) === true) last.push(statement);
    else blocks.push([statement]);
  }
  return blocks;
}
