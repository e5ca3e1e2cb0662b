/**
 * What we use of Windows paths, see `os_path.ts`.
 *
 * @module
 */

export { basename } from "@std/path/windows/basename";
export { SEPARATOR, SEPARATOR_PATTERN } from "@std/path/windows/constants";
export { dirname } from "@std/path/windows/dirname";
export { fromFileUrl } from "@std/path/windows/from-file-url";
export { isAbsolute } from "@std/path/windows/is-absolute";
export { join } from "@std/path/windows/join";
export { relative } from "@std/path/windows/relative";
export { resolve } from "@std/path/windows/resolve";
