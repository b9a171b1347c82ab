import type { Entry } from '../entry.js';

/** Findings about the shape of a file: keys, types, allowed values. */

export const unknownKey: Entry<{ readonly key: string; readonly owner: string }> = {
  code: 'unknown_key',
  severity: 'error',
  title: 'a key that means nothing here',
  message: ({ key, owner }) => `${owner} has no key "${key}"`,
  explanation:
    'Unknown keys are refused, because a misspelt key would otherwise be ignored in silence. Free values have a place under metadata.',
  wrong: 'nodes:\n  - id: greet\n    type: transform\n    transfrom: \'"hello"\'',
  right: 'nodes:\n  - id: greet\n    type: transform\n    transform: \'"hello"\'',
  fixable: true,
};

export const missingKey: Entry<{ readonly key: string; readonly owner: string }> = {
  code: 'missing_key',
  severity: 'error',
  title: 'a key that has to be there is missing',
  message: ({ key, owner }) => `${owner} needs the key "${key}"`,
  explanation: 'The reference of the file format lists which keys each kind of node, input or declaration must have.',
  wrong: 'nodes:\n  - { id: read, type: tool, tool_config: { path: a.txt } }',
  right: 'nodes:\n  - { id: read, type: tool, tool: read_file, tool_config: { path: a.txt } }',
  fixable: false,
};

export const wrongType: Entry<{ readonly expected: string; readonly found: string }> = {
  code: 'wrong_type',
  severity: 'error',
  title: 'a value of the wrong kind',
  message: ({ expected, found }) => `expected ${expected}, found ${found}`,
  explanation:
    'YAML decides by the way a value is written: 3 is a number and "3" is text, true is a boolean and "true" is text. Expressions are text, so one that is only a number or a boolean needs quotes.',
  wrong: 'nodes:\n  - { id: one, type: transform, transform: 1 }',
  right: "nodes:\n  - { id: one, type: transform, transform: '1' }",
  fixable: false,
};

export const valueNotAllowed: Entry<{ readonly value: string; readonly allowed: readonly string[] }> = {
  code: 'value_not_allowed',
  severity: 'error',
  title: 'a value that is not one of the allowed ones',
  message: ({ value, allowed }) => `${value} is not allowed here; allowed: ${allowed.join(', ')}`,
  explanation: 'The key takes one of a fixed set of words. The message lists them.',
  wrong: 'nodes:\n  - { id: a, type: transfrom, transform: "1" }',
  right: 'nodes:\n  - { id: a, type: transform, transform: "1" }',
  fixable: true,
};

export const validation: Entry<{ readonly what: string }> = {
  code: 'validation',
  severity: 'error',
  title: 'a value that breaks a rule of its key',
  message: ({ what }) => what,
  explanation:
    'The kind of the value is right, but not the value: a length, a bound, a pattern, two keys that exclude each other, a default that its own rules refuse.',
  wrong:
    'inputs:\n  - { name: count, type: number, default: 12, validation: { max: 10 } }\nnodes:\n  - { id: out, type: output, value: inputs.count }',
  right:
    'inputs:\n  - { name: count, type: number, default: 10, validation: { max: 10 } }\nnodes:\n  - { id: out, type: output, value: inputs.count }',
  fixable: false,
};

export const invalidSchema: Entry<{ readonly what: string }> = {
  code: 'invalid_schema',
  severity: 'error',
  title: 'a JSON Schema that cannot be used',
  message: ({ what }) => `this JSON Schema cannot be used: ${what}`,
  explanation:
    'Schemas written in a workflow (output_schema, input_schema, parameters, validation.schema) are JSON Schema 2020-12. References stay inside the schema (#/…): nothing is ever fetched. A reference may not lead back to itself without going into a property or an item, and a schema may not multiply its own work.',
  wrong: 'nodes:\n  - { id: a, type: transform, transform: "1", output_schema: { type: numbr } }',
  right: 'nodes:\n  - { id: a, type: transform, transform: "1", output_schema: { type: number } }',
  fixable: false,
};

export const invalidPattern: Entry<{ readonly pattern: string; readonly problem: string }> = {
  code: 'invalid_pattern',
  severity: 'error',
  title: 'a pattern that cannot be compiled',
  message: ({ pattern, problem }) => `the pattern ${pattern} cannot be used: ${problem}`,
  explanation:
    'Patterns of inputs and schemas run in a linear-time engine with the syntax of RE2: no look-around and no back-references. Most such patterns can be split into two rules, or moved into an expression.',
  wrong:
    "inputs:\n  - { name: tag, type: string, validation: { pattern: '^v(?=\\d)' } }\nnodes:\n  - { id: out, type: output, value: inputs.tag }",
  right:
    "inputs:\n  - { name: tag, type: string, validation: { pattern: '^v\\d' } }\nnodes:\n  - { id: out, type: output, value: inputs.tag }",
  fixable: false,
};

export const riskyPattern: Entry<{ readonly pattern: string }> = {
  code: 'risky_pattern',
  severity: 'warning',
  title: 'a regular expression that can backtrack badly',
  message: ({ pattern }) => `${pattern} repeats something that is itself repeated, which can take exponential time on some texts`,
  explanation:
    'A repetition of a repetition, such as (a+)+, can be matched in very many ways, and an engine that tries them all stalls. Such a pattern runs safely under validation here, in linear time, but in an expression it runs into the step budget, and other programs that read the file may stall.',
  wrong:
    "inputs:\n  - { name: word, type: string, validation: { pattern: '^(a+)+$' } }\nnodes:\n  - { id: out, type: output, value: inputs.word }",
  right:
    "inputs:\n  - { name: word, type: string, validation: { pattern: '^a+$' } }\nnodes:\n  - { id: out, type: output, value: inputs.word }",
  fixable: false,
};

export const tooMany: Entry<{ readonly what: string; readonly count: number; readonly limit: number }> = {
  code: 'too_many',
  severity: 'error',
  title: 'more than a workflow may have',
  message: ({ what, count, limit }) => `${count} ${what}; at most ${limit} are allowed`,
  explanation:
    'A workflow file holds at most 10 000 nodes and 50 000 edges, those of loop bodies counted once. A loop runs a body many times without more nodes.',
  wrong: '# 10 001 nodes',
  right: '# one loop node with for_each',
  fixable: false,
};
