/** Why a node never started, in words. */
export function skipReason(reason: string): string {
  return words[reason] ?? reason.replaceAll('_', ' ');
}

const words: Readonly<Record<string, string>> = {
  branch_not_taken: 'another branch was taken',
  upstream_dead: 'nothing leads to it',
  condition_false: 'its condition is false',
  lost_race: 'another branch was first',
  run_failed: 'the run had failed',
  run_cancelled: 'the run was cancelled',
};
