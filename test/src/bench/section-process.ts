import { sections } from './sections.js';

const [section = '', part = ''] = process.argv.slice(2);
const measure = (await sections[section]?.())?.parts[part];
if (measure === undefined) throw new Error('a part is measured in a process that main.ts starts');
await measure((figure) => process.send?.(figure));
process.disconnect?.();
