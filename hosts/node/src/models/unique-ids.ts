/** Makes the ids of one response unique: a missing one is made up, a repeated one gets a number. */
export function uniqueIds(): (id: string | undefined) => string {
  const used = new Set<string>();
  return (id) => {
    const base = id === undefined || id.trim() === '' ? 'call' : id;
    let candidate = base === 'call' ? 'call_1' : base;
    for (let number = 2; used.has(candidate); number++) candidate = `${base}_${number}`;
    used.add(candidate);
    return candidate;
  };
}
