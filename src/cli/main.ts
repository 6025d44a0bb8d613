#!/usr/bin/env node
import { runAsProcess } from './run-as-process';

void runAsProcess(process.argv.slice(2));
