/** YAML text of a JSON value: block style, with what is short on one line. */
export function emitYaml(value, indent = '') {
  if (isScalar(value) || flow(value).length + indent.length <= 100) return flow(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) return value.map((item) => `\n${indent}- ${emitYaml(item, deeper).trimStart()}`).join('');
  return Object.entries(value)
    .map(([key, item]) => `\n${indent}${scalar(key)}:${separated(emitYaml(item, deeper))}`)
    .join('');
}

function separated(text) {
  return text.startsWith('\n') ? text : ` ${text}`;
}

function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isScalar(value)) return scalar(value);
  const pairs = Object.entries(value).map(([key, item]) => `${scalar(key)}: ${flow(item)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function isScalar(value) {
  return value === null || typeof value !== 'object';
}

/** Plain where no reader could take it for anything else, single-quoted where that is enough, else as JSON. */
function scalar(value) {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = /^[A-Za-z_./$][\w./*@-]*(?: [\w./*@-]+)*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|\.inf|\.nan)$/i.test(value);
  if (isPlain || value === 'on') return value;
  const needsEscapes = /[\n\\]/.test(value);
  const readsBetterInDouble = value.includes("'") && !value.includes('"');
  return needsEscapes || readsBetterInDouble ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}
