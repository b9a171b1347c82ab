import { version } from './version.js';

// The version is answered before anything else is loaded, since editors and scripts ask for it all the time.
const [first, ...others] = process.argv.slice(2);
if (others.length === 0 && (first === '-V' || first === '--version')) {
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import('./program.js');
  process.exitCode = await main(process.argv.slice(2));
}
