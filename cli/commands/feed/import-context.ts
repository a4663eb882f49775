import type { Readable } from 'node:stream'
import type { ImportPorts } from '../../../pipelines/import/run-import.ts'
import type { ImportFlags } from './import-options.ts'

/** What the composition root hands to the command. */
export type FeedImportContext = ImportPorts & {
  /** Checkpoints live in `<data folder>/imports`. */
  dataDir: string
  close(): Promise<void>
}

export type FeedImportProcess = {
  stdin: Readable
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  /** Unix milliseconds. */
  now: () => number
  /** Aborted when the user interrupts. */
  signal: AbortSignal
}

export type FeedImportFlags = ImportFlags & { rejects?: string; restart?: boolean; json?: true }
