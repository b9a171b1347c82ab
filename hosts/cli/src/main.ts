import { version } from './version.js';

// A reader that goes away, as `head` does, is no fault; a stream that nobody listens to would end the process with one.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// The version is answered before anything else is loaded, since editors and scripts ask for it all the time.
const [first, ...others] = process.argv.slice(2);
if (others.length === 0 && (first === '-V' || first === '--version')) {
  process.stdout.write(`${version}\n`);
} else {
  // What the usual commands need is loaded side by side with what reads the arguments; a fault shows up where it is awaited.
  const early = first === 'run' ? import('./commands/run.js') : first === 'lint' ? import('./commands/lint.js') : undefined;
  early?.catch(() => {});
  void import('./program.js').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
}
