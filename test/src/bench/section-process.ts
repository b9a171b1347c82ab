import { sections } from './sections.js';

const load = sections[process.argv[2] ?? ''];
if (load === undefined) throw new Error('a section is measured in a process that main.ts starts');
const { section } = await load();
await section((figure) => process.send?.(figure));
process.disconnect?.();
