import fc from 'fast-check';

// Properties draw the same cases in every run. COLLIGATE_TEST_SEED draws others.
fc.configureGlobal({ seed: Number(process.env['COLLIGATE_TEST_SEED'] ?? 20_261_124) });
