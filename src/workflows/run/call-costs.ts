import type { RunBrief } from '../../activities/shared/ports';
import { reserve, type WorstCase } from '../../core/budget/budget-ledger';
import { CALL_SIZES, worstCaseOf, type CallSize, type Material } from '../../core/budget/call-estimates';
import type { PassName } from '../../contracts/kinds';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { modelOfPass, type ModelRole } from '../../core/budget/model-of-pass';
import { passNumber } from '../../core/run/pass-messages';
import { REPORT_FUND } from './ask';
import { affordableMaterial } from './budgeted-material';
import type { Run } from './run';

/** Pass 4 is paid for first, before it is known how many sections there will be. */
const EXPECTED_SECTIONS = 8;
/** Of a small budget so much is kept for pass 4. */
const REPORT_SHARE = 0.4;

/** What a call of a pass may cost; nothing where the engine asks nobody. */
export function worstCase(
  run: Run,
  pass: PassName,
  size: CallSize,
  role: ModelRole = roleIn(pass),
): WorstCase {
  const { engine, models } = run.input;
  return worstCaseOf(engine, size, models ? modelOfPass(models, role, passNumber(pass)) : {});
}

/** How many tokens the model of a pass takes; null where the engine asks none. */
export function contextTokensIn(run: Run, pass: PassName): number | null {
  const { engine, models } = run.input;
  if (engine === 'extractive' || !models) return null;
  return modelOfPass(models, roleIn(pass), passNumber(pass)).contextTokens;
}

function roleIn(pass: PassName): 'fast' | 'strong' {
  return pass === 'gather' || pass === 'overview' ? 'fast' : 'strong';
}

/** Sets aside what pass 4 needs, or of a small budget a good part. */
export function reserveReport(run: Run): void {
  if (run.state.finishedPasses.length > 0 || run.state.rounds !== undefined) return;
  const section = worstCase(run, 'report', CALL_SIZES.writeSection());
  const summary = worstCase(run, 'report', CALL_SIZES.writeSummary());
  const { maxTokens = Infinity, maxCostUsd = Infinity } = run.input.budget;
  const fund = {
    tokens: Math.min(EXPECTED_SECTIONS * section.tokens + summary.tokens, REPORT_SHARE * maxTokens),
    costUsd: Math.min(EXPECTED_SECTIONS * section.costUsd + summary.costUsd, REPORT_SHARE * maxCostUsd),
  };
  run.state.ledger = reserve(run.state.ledger, REPORT_FUND, fund) ?? run.state.ledger;
}

export function materialOf({ input, state }: Run): Material {
  return { sources: state.catalogue?.sources ?? input.sourceCount, chars: input.sourceChars ?? Infinity };
}

/**
 * What a step of each section may read of sources within the budget, and what it may cost then. A warning says so where
 * that is less than the settings allow.
 */
export async function withinBudget(
  run: Run,
  pass: PassName,
  sizeOf: (settings: SynthesisSettings, material: Material) => CallSize,
  { settings, share, calls }: { settings: SynthesisSettings; share: number; calls: number },
): Promise<{ brief: RunBrief; cost: WorstCase }> {
  const costOf = (allowed: SynthesisSettings): WorstCase =>
    worstCase(run, pass, sizeOf(allowed, materialOf(run)));
  const synthesis = affordableMaterial(settings, costOf, run.state.ledger, { calls, share });
  if (synthesis !== settings) {
    await run.warn({
      code: 'budget',
      message: `To keep within the budget, a section reads ${synthesis.pass2FullContentCount} sources and ${synthesis.maxTotalChars} characters at most, not ${settings.pass2FullContentCount} and ${settings.maxTotalChars}.`,
    });
  }
  return { brief: { ...run.brief, synthesis }, cost: costOf(synthesis) };
}
