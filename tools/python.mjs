// Finds a Python for the tests of its client: PYTHON_PATH, then PATH. Run it to make sure that
// there is one; import `pythonPath` to use it.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const NAMES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const LOWEST = [3, 11];

/** The command of a Python that is new enough, or undefined. */
export function pythonPath() {
  return [process.env.PYTHON_PATH, ...NAMES].find((name) => name && isNewEnough(name));
}

function isNewEnough(name) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const version = execFileSync(name, ["-c", "import sys; print(*sys.version_info[:2])"], options);
    const [major = 0, minor = 0] = version.trim().split(" ").map(Number);
    return major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1]);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = pythonPath();
  if (!found) {
    console.error(
      "The tests of the Python client need Python 3.11 or newer. Install one (Debian: apt-get install python3), or set PYTHON_PATH.",
    );
    process.exit(1);
  }
  console.log(`Python: ${found}`);
}
