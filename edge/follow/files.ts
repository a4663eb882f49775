import { Away, type FeedClient, type ListFile } from '../../connectors/feed-client/port.ts'

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
  /** Of the list on the disk; null: there is none yet. */
  sequence: () => number | null
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
    let told = ''
    while (!signal.aborted) {
      const wanted = sequence()
      if (wanted === null || wanted === tried) {
        await pause(LOOK_MS, signal)
        continue
      }
      try {
        const file = await feed.file(format, signal)
        await put(file.bytes, signal)
        state.sequence = file.sequence
        told = ''
        // A file of before what is listed here is asked for again.
        if (file.sequence >= wanted) tried = wanted
        else await pause(AGAIN_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        state.failed++
        const { message } = error as Error
        // A platform that is away for a day is told of once.
        if (message !== told) report(message)
        told = message
        // The platform is away, or the file cannot be written: neither is better at once.
        if (!(error instanceof Away)) tried = wanted
        await pause(Math.max(AGAIN_MS, (error instanceof Away && error.againInMs) || 0), signal)
      }
    }
  }

  const ended = Promise.all(targets.map((target, i) => keep(target, states[i]!))).then(() => undefined)
  return { states: () => states, ended }
}
