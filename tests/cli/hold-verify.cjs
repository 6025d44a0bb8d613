// Loaded into a `verify` before all else (NODE_OPTIONS): stops it for ever where HOLD_AT says, and says so on standard error.
const { writeSync } = require('node:fs');
const promises = require('node:fs/promises');
const Module = require('node:module');

const { HOLD_AT } = process.env;

/** Nothing of this process goes on, as in the middle of a computation. */
function hold() {
  writeSync(2, 'held\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** `draft 1` and `draft 2`: a file is on disk to its last byte, and has not got its name. */
const { rename } = promises;
let drafts = 0;
promises.rename = (...given) => {
  drafts += 1;
  if (HOLD_AT === `draft ${drafts}`) hold();
  return rename(...given);
};

/** `claim 3`: two claims have their verdicts. */
const load = Module._load;
let claims = 0;
Module._load = function (request, ...given) {
  const loaded = load.call(this, request, ...given);
  if (!request.endsWith('/statement-verdicts')) return loaded;
  return {
    ...loaded,
    verifyStatement(...statement) {
      claims += 1;
      if (HOLD_AT === `claim ${claims}`) hold();
      return loaded.verifyStatement(...statement);
    },
  };
};
