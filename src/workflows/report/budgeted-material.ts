import { committed, type BudgetLedger, type WorstCase } from '../../core/budget/budget-ledger';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { FEWEST_CHARS, FEWEST_SOURCES, PARTS_READ, WORTH_READING } from './in-histories';

/**
 * The settings with as many sources as `calls` calls can be given when they share what the budget still has, or `share` of
 * it; with the fewest where nothing fits. The same settings where nothing is limited.
 */
export function affordableMaterial(
  settings: SynthesisSettings,
  worstCase: (settings: SynthesisSettings) => WorstCase,
  ledger: BudgetLedger,
  { calls, share }: { calls: number; share: number },
): SynthesisSettings {
  const { limits } = ledger;
  const used = committed(ledger);
  const each = {
    tokens: (share * ((limits.maxTokens ?? Infinity) - used.tokens)) / Math.max(1, calls),
    costUsd: (share * ((limits.maxCostUsd ?? Infinity) - used.costUsd)) / Math.max(1, calls),
  };
  const offers = PARTS_READ.map((part) => reduced(settings, part));
  const fitting = offers.find((offer) => {
    const cost = worstCase(offer);
    return cost.tokens <= each.tokens && cost.costUsd <= each.costUsd;
  });
  if (fitting !== undefined) return fitting;
  // Where the answer is most of the cost, reading less saves next to nothing.
  const least = worstCase(offers.at(-1) ?? settings);
  return offers.find((offer) => worstCase(offer).tokens <= WORTH_READING * least.tokens) ?? settings;
}

function reduced(settings: SynthesisSettings, part: number): SynthesisSettings {
  if (part === 1) return settings;
  return {
    ...settings,
    maxTotalChars: Math.max(FEWEST_CHARS, Math.floor(settings.maxTotalChars * part)),
    pass2FullContentCount: Math.min(
      settings.pass2FullContentCount,
      Math.max(FEWEST_SOURCES, Math.ceil(settings.pass2FullContentCount * part)),
    ),
  };
}
