import { watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Calls `changed` after every commit to the log in `folder`, of this process and of others. Returns how to stop, or null
 * where the system refuses to watch a file (its number of watches is limited): then consumers have to poll.
 */
export function watchCommits(folder: string, changed: () => void): (() => void) | null {
  try {
    // A commit ends with a write to this file, after everything that it made visible was flushed (ADR 183).
    const watcher = watch(join(folder, 'data.mdb'), { persistent: false }, changed)
    watcher.on('error', () => undefined)
    return () => watcher.close()
  } catch {
    return null
  }
}
