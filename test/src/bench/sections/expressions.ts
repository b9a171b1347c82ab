import { evaluate, parseExpression, type Scope } from '@relavium/engine';
import { expressionVm } from '../../shared/expression-vm.js';
import { judged } from '../figure.js';
import { sideBySide } from '../measure.js';
import type { Section } from '../sections.js';

export const parts: Readonly<Record<string, Section>> = { scopes: (report) => scopes(report) };

const scopes: Section = async (report) => {
  const small = { a: { b: { c: 5 } }, items: [1, 2, 3, 4, 5] };
  const rest = Array.from({ length: 1000 }, (_, n) => ({ id: n, name: `an item with the number ${n}`, note: 'x'.repeat(50) }));
  const large = { ...small, rest };
  const vm = expressionVm();
  const ask = (text: string, output: object): (() => void) => {
    const parsed = parseExpression(text);
    if ('error' in parsed) throw new Error(parsed.error.message);
    const scope = scopeOf(output);
    return () => {
      const answer = evaluate(parsed.expression, scope, vm);
      if (!answer.ok) throw new Error(answer.message);
    };
  };
  const plain = 'run.outputs["data"].a.b.c';
  const computed = 'run.outputs["data"].a.b.c < 7 && run.outputs["data"].items.length > 3';
  const measured = await sideBySide({
    plain: ask(plain, small),
    plainLarge: ask(plain, large),
    vm: ask(computed, small),
    vmLarge: ask(computed, large),
  });
  const us = (key: keyof typeof measured): number => measured[key].ms * 1000;
  const row = (name: string, key: keyof typeof measured, atMost: number): void =>
    report(judged({ section: 'expressions', name, value: us(key), unit: 'µs', spread: measured[key].spread }, { atMost }));
  row('plain path', 'plain', 3);
  row('VM, small scope', 'vm', 70);
  row('VM, two paths of a 100 KB scope', 'vmLarge', 90);
  report(
    judged(
      {
        section: 'expressions',
        name: 'plain path of a 100 KB scope',
        value: us('plainLarge'),
        unit: 'µs',
        against: 'of a small one',
        ratio: us('plainLarge') / us('plain'),
      },
      { atMost: 1.5 },
    ),
  );
  report(
    judged(
      {
        section: 'expressions',
        name: 'VM with a 100 KB scope',
        value: us('vmLarge'),
        unit: 'µs',
        against: 'with a small one',
        ratio: us('vmLarge') / us('vm'),
      },
      { atMost: 1.5 },
    ),
  );
};

function scopeOf(output: object): Scope {
  return {
    names: new Map(),
    run: {
      id: 'bench',
      startedAt: '2020-01-01T00:00:00.000Z',
      outputs: (id) => (id === 'data' ? { kind: 'value', value: output as never } : { kind: 'none' }),
      errors: () => ({ kind: 'none' }),
      captured: () => ({ kind: 'none' }),
      visible: () => ['data'],
    },
  };
}
