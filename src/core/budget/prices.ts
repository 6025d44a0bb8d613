import type { ModelPrice, PriceTable } from '../../contracts/run/prices';

export function priceOf(prices: PriceTable, model: string): ModelPrice | null {
  return (Object.hasOwn(prices, model) ? prices[model] : undefined) ?? null;
}

/** What tokens cost at a price; nothing where the price is not known. */
export function costUsd(
  price: ModelPrice | null,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): number {
  return price === null ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}
