import { userInfo } from 'node:os'

/** The operating-system user, for the record. */
export function operator(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    // Containers may run as a number that has no name.
    return `cli:${process.getuid?.() ?? 'unknown'}`
  }
}
