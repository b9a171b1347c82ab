import type { Plan } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { createLiveView } from '../render/live-view.js';
import { createPlainView } from '../render/plain-view.js';
import { createProgress } from '../render/progress.js';
import { symbolsFor } from '../render/symbols.js';
import type { View } from '../render/view.js';
import { writeRecord } from '../render/write-data.js';

/** How a run is shown: as records, not at all, in place, or line by line. */
export function chooseView(cli: Cli, plan: Plan): View {
  if (cli.json) return jsonView(cli);
  if (cli.quiet) return silentView;
  const options = { sink: cli.err, progress: createProgress(plan), verbose: cli.verbose, now: Date.now };
  return movesCursor(cli) ? createLiveView({ ...options, symbols: symbolsFor(cli.env, process.platform) }) : createPlainView(options);
}

/** Build servers often give a terminal that nobody watches. */
function movesCursor(cli: Cli): boolean {
  const ci = cli.env.CI;
  return cli.err.isTerminal && cli.env.TERM !== 'dumb' && (ci === undefined || ci === '' || ci === 'false' || ci === '0');
}

function jsonView(cli: Cli): View {
  return { event: (event) => writeRecord(cli.out, event), say: () => {}, hold: () => () => {}, close: () => {} };
}

const silentView: View = { event: () => {}, say: () => {}, hold: () => () => {}, close: () => {} };
