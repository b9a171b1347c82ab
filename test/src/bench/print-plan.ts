import { readFileSync } from 'node:fs';
import { planOf } from '../shared/run-ports.js';

/** Compiles the workflow on standard input and prints its plan as JSON. */
process.stdout.write(JSON.stringify(planOf(readFileSync(0, 'utf8'))));
