import { promptLine } from '../material/material-block';
import type { AnswerInput, ContextPassage } from './contract';

/** Passages as a prompt numbers them, from 1. */
type Numbered = Pick<AnswerInput, 'passages' | 'synthesisMode'>;

/**
 * The passages in the order of their numbers: the best first, or, where several documents are brought together, those of one
 * document side by side, documents and passages in the order of their best. Pure.
 */
export function numberedPassages({ passages, synthesisMode }: Numbered): ContextPassage[] {
  return synthesisMode ? byDocument(passages).flatMap((group) => group) : [...passages];
}

/** The context as documents 003 and 004 have it: each passage under its number and its pages. */
export function passageContext({ passages, synthesisMode }: Numbered): string {
  let number = 0;
  const labelled = (passage: ContextPassage, isNamed: boolean): string => {
    number += 1;
    const { document, pages, text, compressed } = passage;
    const name = isNamed ? ` ${promptLine(document)}${dated(passage)}` : '';
    return `[${number}${pages === null ? '' : `: ${pagesText(pages)}`}]${name}\n${promptLine(compressed ?? text)}`;
  };
  if (!synthesisMode) return passages.map((passage) => labelled(passage, true)).join('\n\n');
  return byDocument(passages)
    .map((group) => [
      ...group.slice(0, 1).map((first) => `=== ${promptLine(first.document)}${dated(first)} ===`),
      group.map((passage) => labelled(passage, false)).join('\n\n'),
    ])
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function byDocument(passages: readonly ContextPassage[]): ContextPassage[][] {
  const groups = new Map<string, ContextPassage[]>();
  for (const passage of passages)
    groups.set(passage.document, [...(groups.get(passage.document) ?? []), passage]);
  return [...groups.values()];
}

function pagesText({ from, to }: { from: number; to: number }): string {
  return from === to ? `p.${from}` : `p.${from}-${to}`;
}

/** When it was written, where that is known: an answer says since when something holds. */
function dated({ publishedAt }: ContextPassage): string {
  return publishedAt === undefined ? '' : ` (${promptLine(publishedAt).slice(0, 10)})`;
}
