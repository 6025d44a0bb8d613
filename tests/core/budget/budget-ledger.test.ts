import fc from 'fast-check';
import {
  committed,
  openLedger,
  release,
  reserve,
  settle,
  type BudgetLedger,
} from '../../../src/core/budget/budget-ledger';
import { NO_USAGE } from '../../../src/core/budget/usage';
import type { Usage } from '../../../src/contracts/run/run';

const usage = (tokens: number, costUsd: number): Usage => ({
  ...NO_USAGE,
  calls: 1,
  inputTokens: Math.floor(tokens / 2),
  outputTokens: tokens - Math.floor(tokens / 2),
  costUsd,
});

/** A call that reserves `worst`, from the fund or not, and in the end uses a part of it, in tenths. */
const call = fc.record({
  worst: fc.record({ tokens: fc.nat(5_000), costUsd: fc.nat(50) }),
  usedTenths: fc.nat(10),
  funded: fc.boolean(),
  end: fc.constantFrom('settle', 'release', 'leave'),
});

describe('budget ledger', () => {
  it('never commits more than the limits, and books exactly what was used', () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 40 }),
        fc.record({
          maxTokens: fc.integer({ min: 1, max: 40_000 }),
          maxCostUsd: fc.integer({ min: 1, max: 400 }),
        }),
        fc.record({ tokens: fc.nat(20_000), costUsd: fc.nat(200) }),
        (calls, limits, fund) => {
          const funded = reserve(openLedger(limits), 'fund', fund);
          let ledger: BudgetLedger = funded ?? openLedger(limits);
          const expected = { calls: 0, tokens: 0, costUsd: 0 };
          calls.forEach(({ worst, usedTenths, funded: fromFund, end }, index) => {
            const name = `call-${index}`;
            const next = reserve(ledger, name, worst, fromFund ? 'fund' : undefined);
            if (next === null) return;
            ledger = next;
            if (end === 'settle') {
              const part = usedTenths / 10;
              const used = usage(Math.floor(worst.tokens * part), worst.costUsd * part);
              ledger = settle(ledger, name, 'deep-dive', used);
              expected.calls += 1;
              expected.tokens += used.inputTokens + used.outputTokens;
              expected.costUsd += used.costUsd;
            } else if (end === 'release') ledger = release(ledger, name);
            expect(committed(ledger).tokens).toBeLessThanOrEqual(limits.maxTokens);
            expect(committed(ledger).costUsd).toBeLessThanOrEqual(limits.maxCostUsd + 1e-6);
          });
          expect(ledger.spent.calls).toBe(expected.calls);
          expect(ledger.spent.inputTokens + ledger.spent.outputTokens).toBe(expected.tokens);
          expect(ledger.spent.costUsd).toBeCloseTo(expected.costUsd, 6);
          expect(ledger.byPass['deep-dive'] ?? NO_USAGE).toEqual(ledger.spent);
        },
      ),
    );
  });

  it('keeps what a fund holds for the calls that draw on it', () => {
    const funded = reserve(openLedger({ maxTokens: 100 }), 'pass-4', { tokens: 60, costUsd: 0 });
    if (funded === null) throw new Error('the fund must fit');
    expect(reserve(funded, 'early', { tokens: 41, costUsd: 0 })).toBeNull();
    const early = reserve(funded, 'early', { tokens: 40, costUsd: 0 });
    if (early === null) throw new Error('what the fund leaves must be free');
    const writing = reserve(early, 'write', { tokens: 50, costUsd: 0 }, 'pass-4');
    expect(writing?.reserved).toEqual({
      'pass-4': { tokens: 10, costUsd: 0 },
      early: { tokens: 40, costUsd: 0 },
      write: { tokens: 50, costUsd: 0 },
    });
    expect(reserve(early, 'write', { tokens: 61, costUsd: 0 }, 'pass-4')).toBeNull();
  });

  it('has no limit where none is set', () => {
    const ledger = reserve(openLedger({}), 'call', { tokens: 1e12, costUsd: 1e9 });
    expect(ledger).not.toBeNull();
  });

  it('refuses a second reservation of one name, and a settlement without one', () => {
    const ledger = reserve(openLedger({}), 'call', { tokens: 1, costUsd: 0 });
    if (ledger === null) throw new Error('it must fit');
    expect(() => reserve(ledger, 'call', { tokens: 1, costUsd: 0 })).toThrow(/already/);
    expect(() => settle(ledger, 'other', 'report', NO_USAGE)).toThrow(/holds no reservation/);
  });
});
