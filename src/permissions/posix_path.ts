/**
 * What we use of POSIX paths, see `os_path.ts`.
 *
 * @module
 */

export { basename } from "@std/path/posix/basename";
export { SEPARATOR, SEPARATOR_PATTERN } from "@std/path/posix/constants";
export { dirname } from "@std/path/posix/dirname";
export { fromFileUrl } from "@std/path/posix/from-file-url";
export { isAbsolute } from "@std/path/posix/is-absolute";
export { join } from "@std/path/posix/join";
export { relative } from "@std/path/posix/relative";
export { resolve } from "@std/path/posix/resolve";
