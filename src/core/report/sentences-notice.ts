import type { SentenceCounts } from '../../contracts/report/report';
import { count } from '../writing/count';

/** Under the title: how many sentences a model wrote, how they were checked, and what became of those that were not borne. */
export function sentencesNotice({ checked, close, confirmed, replaced, leftOut }: SentenceCounts): string {
  const parts = [
    `${close} in the words of what they cite`,
    `${confirmed} confirmed by a critic that quoted what bears them`,
    `${replaced} replaced by the words of their findings`,
    `${leftOut} left out`,
  ];
  return `A model wrote ${count(checked, 'sentence')}, each checked against what it cites: ${parts.join(', ')}.`;
}
