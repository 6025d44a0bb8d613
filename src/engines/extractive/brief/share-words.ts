/** What may have words: how much there is to tell, and what it weighs. */
export interface WordsClaimant {
  id: string;
  /** The words that it could fill. */
  most: number;
  weight: number;
}

/** Words in proportion to weight, to nobody more than it can fill; what one cannot fill the others have. */
export function shareWords(claimants: readonly WordsClaimant[], words: number): Map<string, number> {
  const shares = new Map<string, number>();
  let left = words;
  let open = [...claimants];
  for (;;) {
    const weight = open.reduce((sum, one) => sum + one.weight, 0);
    const shareOf = (one: WordsClaimant): number => (weight === 0 ? 0 : (left * one.weight) / weight);
    const filled = open.filter((one) => one.most <= shareOf(one));
    if (filled.length === 0) {
      for (const one of open) shares.set(one.id, shareOf(one));
      return shares;
    }
    for (const one of filled) {
      shares.set(one.id, one.most);
      left -= one.most;
    }
    open = open.filter((one) => !filled.includes(one));
  }
}
