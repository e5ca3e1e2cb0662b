/**
 * Asking before doing: what Deno was not given, it asks the person for in the middle of our screen. So whatever may lie
 * outside the grants is queried first.
 *
 * @module
 */

/** Whether this process holds a permission now. Never prompts. */
export function isHeld(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}
