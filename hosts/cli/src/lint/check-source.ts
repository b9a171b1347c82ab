import { builtinTools, compile, compileAgentFile, type Diagnostic, type SourceText } from '@relavium/engine';
import { parseConfig } from '@relavium/host-node';
import type { Project } from '../project/open-project.js';

/** All findings about one file; its name says which kind it is. */
export function checkSource(source: SourceText, { reader }: Project): readonly Diagnostic[] {
  if (source.path.endsWith('.toml')) return parseConfig(source, source.path.endsWith('config.toml') ? 'home' : 'project').problems;
  if (source.path.endsWith('.agent.yaml')) return compileAgentFile(source, { reader, tools: builtinTools }).diagnostics;
  return compile(source, { reader, tools: builtinTools }).diagnostics;
}
