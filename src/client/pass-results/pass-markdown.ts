import { catalogueMarkdown } from './catalogue-markdown';
import { deepDiveMarkdown } from './findings-markdown';
import { outlineMarkdown } from './outline-markdown';
import type { PassResult, PassSurroundings } from './pass-results';
import { sourceLabels } from './source-labels';
import { validatedMarkdown } from './validated-markdown';

/** What a pass left, for people: sources by name and title, nothing of them active as Markdown. */
export function passMarkdown(left: PassResult, surroundings: PassSurroundings): string {
  const labels = sourceLabels(left.pass === 'gather' ? left.result : surroundings.catalogue);
  switch (left.pass) {
    case 'gather':
      return catalogueMarkdown(left.result, labels);
    case 'overview':
      return outlineMarkdown(left.result, labels);
    case 'deep-dive':
      return deepDiveMarkdown(left.result, surroundings, labels);
    case 'cross-reference':
      return validatedMarkdown(left.result, surroundings.outline, labels);
  }
}
