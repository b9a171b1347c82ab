import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../hosts/node/src/config/parse-config.js';
import { tomlPositions } from '../../hosts/node/src/config/toml-positions.js';

const problemsOf = (text: string, place: 'project' | 'home' = 'project') =>
  parseConfig({ path: 'project.toml', text }, place).problems.map(({ code, message, range }) => ({
    code,
    message,
    at: text.slice(range.start, range.end),
  }));

describe('parseConfig', () => {
  it('takes a file that meets the schema', () => {
    const { config, problems } = parseConfig({ path: 'project.toml', text: '[lint.levels]\nno_edges = "error"\n' }, 'project');
    expect(problems).toEqual([]);
    expect(config.lint?.levels).toEqual({ no_edges: 'error' });
  });

  it('points at an unknown key, by its path and place', () => {
    expect(problemsOf('[lint]\nlevel = 1\n')).toEqual([{ code: 'unknown_key', message: 'unknown key lint.level', at: 'level' }]);
  });

  it('points at a value that is not allowed', () => {
    const [problem] = problemsOf('# first\n[lint.levels]\nno_edges = "loud"\n');
    expect(problem?.at).toBe('no_edges');
    expect(problem?.message).toContain('lint.levels.no_edges');
    expect(problem?.message).toContain('warning');
  });

  it('points at the character where the text stops being TOML', () => {
    const [problem] = problemsOf('[lint]\nlevels = = 1\n');
    expect(problem?.message).toContain('not valid TOML');
    expect(problem?.message).not.toContain('\n');
  });

  it('leaves what only a person may decide to the file of the person', () => {
    const text = '[egress]\nlocal = ["http://127.0.0.1:11434"]\n';
    expect(problemsOf(text, 'home')).toEqual([]);
    expect(problemsOf(text, 'project').map(({ at }) => at)).toEqual(['[egress]']);
  });

  it('counts a file with a problem as empty', () => {
    expect(parseConfig({ path: 'x.toml', text: 'surprise = 1\n[lint.levels]\nno_edges = "off"\n' }, 'project').config).toEqual({});
  });
});

describe('tomlPositions', () => {
  it('finds keys behind strings, comments and lists that hold brackets and line ends', () => {
    const text = ['a = """', '[not.a.table]', 'b = 1', '"""', 'list = [ "]", # ]', '  1 ]', '[real]', "'quoted key' = 2", ''].join('\n');
    const at = (path: readonly (string | number)[]) => {
      const { start, end } = tomlPositions(text).rangeOf(path);
      return text.slice(start, end);
    };
    expect(at(['list'])).toBe('list');
    expect(at(['real'])).toBe('[real]');
    expect(at(['real', 'quoted key'])).toBe("'quoted key'");
    expect(at(['b'])).toBe('a = """');
  });

  it('counts the tables of a list', () => {
    const text = '[[plugins]]\npackage = "a"\n[[plugins]]\npackage = "b"\n[plugins.options]\nx = 1\n';
    const at = (path: readonly (string | number)[]) => tomlPositions(text).rangeOf(path).start;
    expect(at(['plugins', 1, 'package'])).toBe(text.lastIndexOf('package'));
    expect(at(['plugins', 1, 'options', 'x'])).toBe(text.indexOf('x ='));
  });
});
