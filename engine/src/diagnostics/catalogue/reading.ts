import type { Entry } from '../entry.js';

/** Findings about the text itself: before it is known what the file says. */

export const encoding: Entry<object> = {
  code: 'encoding',
  severity: 'error',
  title: 'the file is not UTF-8',
  message: () => 'the file holds bytes that are no UTF-8 text',
  explanation:
    'Workflow and agent files are UTF-8. A file in another encoding would be read with wrong characters in names and texts, so it is refused. Save it as UTF-8 in your editor.',
  wrong: '# the same line, saved as Latin-1\nname: Übersicht',
  right: '# saved as UTF-8\nname: Übersicht',
  fixable: false,
};

export const tooLarge: Entry<{ readonly bytes: number; readonly limit: number }> = {
  code: 'too_large',
  severity: 'error',
  title: 'the file is larger than a file may be',
  message: ({ bytes, limit }) => `the file has ${bytes} bytes; at most ${limit} are read`,
  explanation:
    'Files above 2 MiB are refused before they are read. Move data out of the workflow into files that a tool reads, or split the workflow with subworkflow nodes.',
  wrong: '# a list of 100 000 addresses under context:',
  right: '# the list in a file of its own, read by a read_file node',
  fixable: false,
};

export const yamlSyntax: Entry<{ readonly what: string }> = {
  code: 'yaml_syntax',
  severity: 'error',
  title: 'the text is no YAML',
  message: ({ what }) => what,
  explanation:
    'The file cannot be read as YAML 1.2, so nothing else in it was checked. Most of the time a quote or bracket is not closed, the indentation is off, or text with a colon needs quotes.',
  wrong: 'nodes: [{ id: a, type: transform, transform: "1 }]',
  right: "nodes: [{ id: a, type: transform, transform: '1' }]",
  fixable: false,
};

export const yamlTag: Entry<{ readonly tag: string }> = {
  code: 'yaml_tag',
  severity: 'error',
  title: 'a YAML tag that is not read here',
  message: ({ tag }) => `the tag ${tag} is not read here; write the plain value`,
  explanation:
    'Tags ask a reader to make a special kind of value. Only the core tags (!!str, !!int, !!float, !!bool, !!null, !!map, !!seq) mean something here, and only where the value fits.',
  wrong: 'name: !env RELEASE_NAME\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'name: release\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const duplicateKey: Entry<{ readonly key: string; readonly line: number }> = {
  code: 'duplicate_key',
  severity: 'error',
  title: 'a key stands twice in one map',
  message: ({ key, line }) => `the key "${key}" is here for the second time; the first is on line ${line}`,
  explanation: 'YAML readers disagree about which of two equal keys counts, so neither is picked. Take one of them out.',
  wrong: 'nodes:\n  - id: a\n    type: transform\n    transform: "1"\n    transform: "2"',
  right: 'nodes:\n  - id: a\n    type: transform\n    transform: "2"',
  fixable: false,
};

export const unknownAlias: Entry<{ readonly name: string }> = {
  code: 'unknown_alias',
  severity: 'error',
  title: 'an alias without an anchor before it',
  message: ({ name }) => `*${name} has no anchor &${name} before it`,
  explanation:
    'An alias (*name) repeats a value that was marked earlier in the same file with an anchor (&name). Text that begins with * needs quotes.',
  wrong: 'description: *text\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'name: &text Release\ndescription: *text\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const recursiveAlias: Entry<{ readonly name: string }> = {
  code: 'recursive_alias',
  severity: 'error',
  title: 'an alias inside its own anchor',
  message: ({ name }) => `*${name} stands inside the value that &${name} marks, so the value would contain itself`,
  explanation: 'A value cannot contain itself. Use an anchor only on values that are complete before the alias.',
  wrong: 'metadata: &loop\n  again: *loop\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'metadata: &base\n  kind: demo\ncontext:\n  - { key: base, value: *base }\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const aliasLimit: Entry<{ readonly limit: number }> = {
  code: 'alias_limit',
  severity: 'error',
  title: 'aliases would multiply the file',
  message: ({ limit }) => `written out, the aliases of this file would add more than ${limit} values`,
  explanation:
    'Aliases of aliases grow by multiplication: nine levels of nine are more than 300 million values. The file is refused without writing them out.',
  wrong: '# nine anchors, each a list of nine aliases to the one before',
  right: '# the values written where they are needed',
  fixable: false,
};

export const tooDeep: Entry<{ readonly limit: number }> = {
  code: 'too_deep',
  severity: 'error',
  title: 'maps and lists are nested too deeply',
  message: ({ limit }) => `maps and lists are nested more than ${limit} deep`,
  explanation:
    'At most 64 maps and lists may stand inside one another, the inside of aliases included. Loop bodies that are nested deeper belong in a subworkflow.',
  wrong:
    'metadata: { deep: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] }\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'metadata: { flat: [] }\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const nonStringKey: Entry<{ readonly key: string }> = {
  code: 'non_string_key',
  severity: 'error',
  title: 'a key that is not text',
  message: ({ key }) => (key === '' ? 'a key must be text' : `the key ${key} is not text; write it with quotes`),
  explanation:
    'Values end up as JSON, where keys are text. A number, true, false, null, a list or a map as a key needs quotes or another form.',
  wrong: 'metadata: { 200: fine }\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'metadata: { \'200\': fine }\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: true,
};

export const numberRange: Entry<{ readonly text: string }> = {
  code: 'number_range',
  severity: 'error',
  title: 'a number that cannot be kept exactly',
  message: ({ text }) => `${text} cannot be kept exactly as a number; write it with quotes if it is text`,
  explanation: 'Integers beyond 2^53 would be rounded in silence, and infinity and NaN have no JSON form. Long ids belong in quotes.',
  wrong: 'metadata: { account: 9007199254740993 }\nnodes: [{ id: a, type: output, value: "1" }]',
  right: 'metadata: { account: \'9007199254740993\' }\nnodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const multipleDocuments: Entry<object> = {
  code: 'multiple_documents',
  severity: 'error',
  title: 'more than one document in a file',
  message: () => 'a second document begins here; a file holds one',
  explanation: 'A line --- begins another YAML document. Put each workflow and each agent in a file of its own.',
  wrong: 'nodes: [{ id: a, type: output, value: "1" }]\n---\nworkflow: {}',
  right: 'nodes: [{ id: a, type: output, value: "1" }]',
  fixable: false,
};

export const credentialInFile: Entry<object> = {
  code: 'credential_in_file',
  severity: 'warning',
  title: 'a credential stands in the file',
  message: () => 'this looks like a credential: whoever can read the file has it',
  explanation:
    'A workflow holds names of secrets and no secrets, so that it can be shared and kept under version control. Revoke a token that has been committed. Declare an input of type secret, or name an entry of the secret store with credential_ref, credentials or secret_env.',
  wrong:
    "tools: { allowedCommandGlobs: ['deploy *'] }\nnodes:\n  - { id: deploy, type: tool, tool: run_command, tool_config: { command: deploy, args: ['ghp_SYNTHETICsampleSYNTHETICsample0000'] } }",
  right:
    'inputs:\n  - { name: token, type: secret }\ntools: { allowedCommands: [deploy] }\nnodes:\n  - { id: deploy, type: tool, tool: run_command, tool_config: { command: deploy, secret_env: { DEPLOY_TOKEN: { input: token } } } }',
  fixable: false,
};
