import { join } from 'node:path';
import { checkSavePath, createFsPathPolicy } from '@relavium/host-node';
import { decisionOf, type PathContext, withTree } from '../../shared/path-case.js';
import { simulatedWindows } from '../../shared/simulated-windows.js';
import { type Case, type Judge, verdict } from '../case.js';

/** The path of a node's own persistence, judged on a real tree, and on Windows where a case does not say otherwise. */
export const judge: Judge = async (testCase) => {
  const { platform } = testCase.context as unknown as PathContext;
  const wanted = testCase.expect === 'allow';
  const found = [...(platform === 'win32' ? [] : [await onDisk(testCase)]), ...(platform === 'posix' ? [] : [await onWindows(testCase)])];
  return verdict(
    found.every(({ allowed }) => allowed === wanted),
    String(testCase.expect),
    found,
  );
};

function onDisk(testCase: Case): ReturnType<typeof decisionOf> {
  return withTree(testCase, (root) => {
    const { workspace } = testCase.context as unknown as PathContext;
    const input = String(testCase.input);
    const policy = createFsPathPolicy({ workspaceDir: join(root, workspace) });
    return decisionOf(checkSavePath(policy, input.startsWith('/') ? root + input : input));
  });
}

function onWindows({ input }: Case): ReturnType<typeof decisionOf> {
  const operations = simulatedWindows([{ path: 'C:\\srv\\ws', type: 'dir' }]);
  return decisionOf(checkSavePath(createFsPathPolicy({ workspaceDir: 'C:\\srv\\ws', operations }), String(input)));
}
