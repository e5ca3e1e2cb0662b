/**
 * Asking before doing: what Deno was not given, it asks the person for in the middle of our screen. So whatever may lie
 * outside the grants is queried first.
 *
 * @module
 */

/** Whether this process holds a permission now. Never prompts. */
export async function isHeld(descriptor: Deno.PermissionDescriptor): Promise<boolean> {
  const { state } = await Deno.permissions.query(descriptor);
  return state === "granted";
}
