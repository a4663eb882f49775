import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { lockFolder, type Release } from '../../../connectors/data-folder/folder-lock.ts'
import { mendModes } from '../../../connectors/data-folder/modes.ts'
import { freeBytes, RESERVE_BYTES } from '../../../connectors/data-folder/room.ts'
import { noteRunning, refuseCopy } from '../../../connectors/data-folder/running.ts'
import { type Config, loadConfig } from '../../../platform/config.ts'

/** The configuration of every role and command. @throws Error when the data folder is a copy of one in use (ADR 281) */
export function loadCheckedConfig(env: NodeJS.ProcessEnv): Config {
  const config = loadConfig(env)
  refuseCopy(config.dataDir)
  return config
}

/** The parts of the platform that may be in its data folder, each with its folder and the setting that moves it elsewhere. */
const EMBEDDED = {
  log: { folder: 'log', server: 'kafkaBrokers' },
  history: { folder: 'clickhouse', server: 'clickhouseUrl' },
} as const

/**
 * The same for a command that works on what is there: it makes no folder and no database where no platform was started.
 * @param parts what the command opens
 * @throws Error that names the folder when one of them is not in it
 */
export function loadExisting(env: NodeJS.ProcessEnv, ...parts: readonly (keyof typeof EMBEDDED)[]): Config {
  const config = loadCheckedConfig(env)
  const missing = parts.find((part) => {
    const { folder, server } = EMBEDDED[part]
    return config[server] === null && !existsSync(join(config.dataDir, folder))
  })
  if (missing === undefined) return config
  throw new Error(
    `no platform was started on the data folder ${resolve(config.dataDir)}: it has no ${missing}. This command works on the stores themselves: start a platform there (harrier up), or name its folder in HARRIER_DATA_DIR`,
  )
}

/**
 * Makes a whole platform the owner of its data folder before it opens any store, embedded or not, and closes the folder
 * to other users. The returned function gives it back after a clean stop.
 * @throws Error that names the folder and its owner
 */
export async function ownFolder(dataDir: string, logger: Logger): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const release = lockFolder(dataDir, join(dataDir, 'harrier'))
  let ended: Release
  try {
    await closeToOthers(dataDir, logger)
    ended = noteRunning(dataDir)
  } catch (error) {
    release()
    throw error
  }
  return async () => {
    ended()
    release()
  }
}

/** What roles and commands keep in the data folder. The engine has very many files of its own. */
const PARTS = {
  ours: /^(harrier|accounts|clickhouse|log|running|administrator|registry|sql-users|imports|outbox|feed-files)([.-]|$)/,
  skip: ['clickhouse', 'feed-files'],
}

async function closeToOthers(folder: string, logger: Logger): Promise<void> {
  const { wasOpen, stays, entries, foreign } = await mendModes(folder, PARTS)
  if (foreign.length > 0)
    logger.warn(
      { folder, foreign },
      'cannot restrict file modes in the data folder: some entries belong to another user, or the file system does not support modes',
    )
  if (wasOpen && stays)
    logger.warn(
      { folder, entries },
      'the data folder is readable by other users and shared with other files; only the entries of the platform were restricted',
    )
  else if (wasOpen && !foreign.includes(folder))
    logger.warn({ folder, entries }, 'the data folder was readable by other users; its file modes were restricted')
  else if (entries > 0) logger.debug({ folder, entries }, 'restricted file modes in the data folder')
}

const MiB = 1024 ** 2
/** A start writes some 24 MiB beside what the log has to leave: a segment of the accounts' journal, parts of the tables. */
const ROOM_BYTES = 24 * MiB + RESERVE_BYTES

/** The error of a failed start. If the disk is full, the error names it: the stores report a full disk in many ways, mostly without its name. */
export function startFailure(dataDir: string, error: unknown): unknown {
  const { message } = error as Error
  const free = freeBytes(dataDir) ?? Number.POSITIVE_INFINITY
  if (free >= ROOM_BYTES && !/ENOSPC|no space left/i.test(message)) return error
  const room = `${(free / MiB).toFixed(1)} MiB free`
  return new Error(
    `the disk of the data folder ${dataDir} is full (${room}); free disk space, see harrier guide runbooks/disk-full (${message})`,
    { cause: error },
  )
}
