#!/usr/bin/env node
import { runAsProcess } from './program';

void runAsProcess(process.argv.slice(2));
