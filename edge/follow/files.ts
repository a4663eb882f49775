import type { FeedClient, ListFile } from '../../connectors/feed-client/port.ts'

/** A file to keep: a format of the platform, and where. */
export type FileTarget = {
  format: string
  path: string
  put(bytes: ListFile['bytes'], signal: AbortSignal): Promise<boolean>
}

/** How a file stands, for the metrics. */
export type FileState = { path: string; sequence: number; failed: number }

/** Between two looks, and after a failure, in milliseconds. */
const LOOK_MS = 250
const AGAIN_MS = 2_000

export type FilePorts = {
  feed: Pick<FeedClient, 'file'>
  /** Of the list on the disk; 0: there is none yet. */
  sequence: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  report: (message: string) => void
}

/**
 * Keeps files of the list until the signal aborts: each is asked of the platform when the sequence has moved (decisions 19.2).
 * One that cannot be written holds up nothing else, and is tried again when the sequence moves again.
 */
export function keepFiles(
  targets: readonly FileTarget[],
  { feed, sequence, pause, report }: FilePorts,
  signal: AbortSignal,
): { states: () => readonly FileState[]; ended: Promise<void> } {
  const states = targets.map(({ path }): FileState => ({ path, sequence: -1, failed: 0 }))

  async function keep({ format, put }: FileTarget, state: FileState): Promise<void> {
    let tried = -1
    while (!signal.aborted) {
      const wanted = sequence()
      if (wanted === tried || wanted === 0) {
        await pause(LOOK_MS, signal)
        continue
      }
      try {
        const file = await feed.file(format, signal)
        await put(file.bytes, signal)
        // A file of before what is listed here is asked for again.
        if (file.sequence >= wanted) tried = wanted
        state.sequence = file.sequence
      } catch (error) {
        if (signal.aborted) return
        state.failed++
        report((error as Error).message)
        // The platform is away, or the file cannot be written: neither is better at once.
        if ((error as Error).name !== 'Away') tried = wanted
        await pause(AGAIN_MS, signal)
      }
    }
  }

  const ended = Promise.all(targets.map((target, i) => keep(target, states[i]!))).then(() => undefined)
  return { states: () => states, ended }
}
