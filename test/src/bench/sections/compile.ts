import { builtinTools, type CompilePorts, compile, compileCache } from '@relavium/engine';
import { memorySourceReader } from '@relavium/engine/testing';
import { parse, parseDocument } from 'yaml';
import { judged } from '../figure.js';
import { sideBySide } from '../measure.js';
import { chainText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

export const parts: Readonly<Record<string, Section>> = { chains: (report) => chains(report) };

const chains: Section = async (report) => {
  const ports: CompilePorts = { reader: memorySourceReader({}), tools: builtinTools };
  const perNode = new Map<number, number>();
  for (const size of [100, 1000, 10_000]) {
    const source = { path: 'bench.relavium.yaml', text: chainText(size) };
    const json = JSON.stringify(parse(source.text));
    const cached = compileCache();
    const errors = compile(source, ports).diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    if (errors.length > 0) throw new Error(`the sample does not compile: ${errors[0]?.message}`);
    const measured = await sideBySide(
      {
        compile: () => compile(source, ports),
        yaml: () => parseDocument(source.text),
        warm: () => cached.compile(source, ports),
        json: () => JSON.parse(json),
      },
      // Warmed up on both sides, as in the other sections: what a process pays that compiles one file is shown by `cold-start`.
      { passes: 7, passMs: size === 10_000 ? 1 : 200 },
    );
    const { compile: cold, warm } = measured;
    report(
      judged(
        {
          section: 'compile',
          name: `cold, ${size} nodes`,
          value: cold.ms,
          unit: 'ms',
          against: 'yaml parseDocument',
          ratio: cold.ms / measured.yaml.ms,
          spread: cold.spread,
        },
        { atMost: 1.2 },
      ),
    );
    report(
      judged(
        {
          section: 'compile',
          name: `warm, ${size} nodes`,
          value: warm.ms,
          unit: 'ms',
          against: 'JSON.parse of the same',
          ratio: warm.ms / measured.json.ms,
          spread: warm.spread,
        },
        { atMost: 3 },
      ),
    );
    perNode.set(size, cold.ms / size);
  }
  const growth = perNode.get(10_000)! / perNode.get(1000)!;
  report(
    judged(
      {
        section: 'compile',
        name: 'a node at 10 000',
        value: perNode.get(10_000)! * 1000,
        unit: 'µs',
        against: 'a node at 1 000',
        ratio: growth,
      },
      { atMost: 2 },
    ),
  );
};
