import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.js';
import { sections } from './sections.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  console.error(
    `no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}\nusage: npm run bench -- [section]… [--json]`,
  );
  process.exitCode = 2;
} else {
  if (!values.json)
    console.log(
      `Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; ratios within one run, median of several passes\n${row(['section', 'name', 'value', 'against', 'ratio', 'spread', 'target', ''])}`,
    );
  for (const section of positionals.length > 0 ? positionals : Object.keys(sections)) {
    const { parts } = await sections[section]!();
    for (const part of Object.keys(parts)) {
      for (const figure of await figuresOf(section, part)) console.log(values.json ? JSON.stringify(figure) : tableRow(figure));
    }
  }
}

function figuresOf(section: string, part: string): Promise<Figure[]> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./section-process.js', import.meta.url)), [section, part], { execArgv: ['--expose-gc'] });
    const figures: Figure[] = [];
    child.on('message', (figure) => figures.push(figure as Figure));
    child.on('exit', (code) => (code === 0 ? resolve(figures) : reject(new Error(`${section}, ${part}: ended with ${code}`))));
  });
}

function tableRow(figure: Figure): string {
  const { section, name, value, unit, against, ratio, spread, target, met } = figure;
  const mark = met === undefined ? '' : met ? 'met' : 'MISSED';
  return row([
    section,
    name,
    `${short(value)} ${unit}`,
    against ?? '',
    ratio === undefined ? '' : `${short(ratio)} ×`,
    spread === undefined ? '' : short(spread),
    target ?? '',
    mark,
  ]);
}

function row(cells: readonly string[]): string {
  const widths = [12, 44, 14, 34, 10, 7, 12, 6];
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(' ')
    .trimEnd();
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}
