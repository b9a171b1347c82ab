/** Apart, so that only a run with `--model` loads it. */
export { overrideProblem } from '@relavium/host-node';
