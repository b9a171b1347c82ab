/** A module that measures a peer, or undefined after a word on how to install the peer: the bench runs without its peers too. */
export async function installed<Module>(peer: string, module: URL, how: string): Promise<Module | undefined> {
  try {
    return (await import(module.href)) as Module;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    notMeasured(peer, how);
    return undefined;
  }
}

export function notMeasured(peer: string, how: string): void {
  console.error(`not measured, since it is not installed: ${peer} (${how})`);
}
