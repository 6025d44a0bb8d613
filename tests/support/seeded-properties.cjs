// Properties draw the same cases in every run, so that what fails fails for everybody; COLLIGATE_TEST_SEED draws others.
const fc = require('fast-check');

fc.configureGlobal({ seed: Number(process.env.COLLIGATE_TEST_SEED ?? 20_261_124) });
