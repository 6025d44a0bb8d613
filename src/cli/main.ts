#!/usr/bin/env node
import { runCommandLine } from './command-line';

void runCommandLine(process.argv).then((exitCode) => process.exit(exitCode));
