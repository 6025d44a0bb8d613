import type { ReportFacts } from '../../activities/shared/ports';
import { reserve, type WorstCase } from '../../core/budget/budget-ledger';
import { CALL_SIZES, type CallSize, type Material } from '../../core/budget/call-estimates';
import type { PassName } from '../../contracts/kinds';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { worstCase } from '../run/call-costs';
import { isAtItsBeginning } from '../run/carried-run';
import { affordableMaterial } from './budgeted-material';
import { takenSources } from './steering/given-sources';
import { EXPECTED_SECTIONS, WRITING_FUND, WRITING_SHARE } from './in-histories';
import type { Catalogue } from './pass-artifacts';
import type { ReportRun } from './report-run';

/** Sets aside what pass 4 needs, or of a small budget a good part. */
export function reserveWriting(run: ReportRun): void {
  const { carried } = run;
  if (!isAtItsBeginning(carried)) return;
  const section = worstCase(run, 'report', CALL_SIZES.writeSection());
  const summary = worstCase(run, 'report', CALL_SIZES.writeSummary());
  const { maxTokens = Infinity, maxCostUsd = Infinity } = carried.ledger.limits;
  const fund = {
    tokens: Math.min(EXPECTED_SECTIONS * section.tokens + summary.tokens, WRITING_SHARE * maxTokens),
    costUsd: Math.min(EXPECTED_SECTIONS * section.costUsd + summary.costUsd, WRITING_SHARE * maxCostUsd),
  };
  carried.ledger = reserve(carried.ledger, WRITING_FUND, fund) ?? carried.ledger;
}

/** What there is to read: as given, before it was catalogued. */
export function materialOf(run: Pick<ReportRun, 'input' | 'carried'>, catalogue?: Catalogue): Material {
  const { sourceCount, sourceChars = Infinity } = takenSources(run);
  return { sources: catalogue?.sources ?? sourceCount, chars: sourceChars };
}

/**
 * What a step of each section may read of sources within the budget, and what it may cost then. A warning says so where
 * that is less than the settings allow.
 */
export async function withinBudget(
  run: ReportRun,
  pass: PassName,
  sizeOf: (settings: SynthesisSettings, material: Material) => CallSize,
  given: { catalogue: Catalogue; settings: SynthesisSettings; share: number; calls: number },
): Promise<{ facts: ReportFacts; cost: WorstCase }> {
  const { catalogue, settings, share, calls } = given;
  const material = materialOf(run, catalogue);
  const costOf = (allowed: SynthesisSettings): WorstCase => worstCase(run, pass, sizeOf(allowed, material));
  const synthesis = affordableMaterial(settings, costOf, run.carried.ledger, { calls, share });
  if (synthesis !== settings) {
    await run.warn({
      code: 'budget',
      message: `To keep within the budget, a section reads ${synthesis.pass2FullContentCount} sources and ${synthesis.maxTotalChars} characters at most, not ${settings.pass2FullContentCount} and ${settings.maxTotalChars}.`,
    });
  }
  return { facts: { ...run.facts, synthesis }, cost: costOf(synthesis) };
}
