const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

/**
 * Loads the pieces of the command. Beside each piece lies what V8 made of it when the package was built, so that a command need not be
 * compiled again each time that it starts. Another version of Node takes no notice of it.
 */
const dist = join(__dirname, '../dist');
/** Name → `{ exports, script, file }`. */
const pieces = new Map();

exports.isBuilt = () => existsSync(join(dist, 'main.js'));

exports.load = (name) => {
  const known = pieces.get(name);
  if (known !== undefined) return known.exports;
  const file = join(dist, name);
  // The bundler writes nothing but ASCII.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiledBefore(file) });
  const piece = { exports: {}, script, file };
  pieces.set(name, piece);
  const place = {
    get url() {
      return pathToFileURL(file).href;
    },
  };
  script.runInThisContext()(piece, piece.exports, requireFrom, seldom, place);
  return piece.exports;
};

/** What has been loaded, for the build, which keeps what V8 has made of it. */
exports.pieces = pieces;

function requireFrom(id) {
  return id.startsWith('./') ? exports.load(id.slice(2)) : require(id);
}

/** A piece that is loaded when something of it is used. It must do nothing but define its exports. */
function seldom(name) {
  return new Proxy({}, { get: (_, key) => exports.load(name)[key] });
}

function compiledBefore(file) {
  try {
    return readFileSync(`${file}.compiled`);
  } catch {
    return undefined;
  }
}
