import type { Logger } from 'pino'
import { lockFolder } from '../../../connectors/data-folder/folder-lock.ts'
import { indexStore } from '../../../connectors/lookups/index/open-index.ts'
import { scanEntities } from '../../../connectors/lookups/scan-entities.ts'
import { rowLog } from '../../../connectors/operations/rows/row-log.ts'
import { keepIndex } from '../../../pipelines/jobs/lookups/keep-index.ts'
import type { IndexReport } from '../../../pipelines/jobs/lookups/ports.ts'
import { pause } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { lookupFolder } from '../open/lookups.ts'
import { openGenerations } from '../open/open-history.ts'
import type { FollowParts, RunningFollower } from './start.ts'

/** How often it is looked whether somebody asks by now. */
const ASKED_MS = 1_000
const FAILED_MS = 1_000
const MAX_PAUSE_MS = 30_000
/** An index that lacks a batch soon after it was made is made again after so long, and after twice as long the next time. */
const MISSING_MS = { least: 2_000, most: 10 * 60_000 }
/** An index that nobody asked for so long is removed: it costs each change some microseconds. */
const UNASKED_MS = 7 * 24 * 60 * 60_000

/**
 * Keeps the index of this host from the first look-up on, in the one process of it that has its lock (decisions 18.6). Until
 * somebody asks, and while it is made, the store answers. `closed` resolves after a stop: what fails is begun anew.
 */
export async function startLookups(parts: FollowParts): Promise<RunningFollower> {
  const { config, logger } = parts
  const folder = lookupFolder(config)
  const ending = new AbortController()
  const { signal } = ending
  const maxBytes = config.lookupIndexBytes
  // A start tries again what an earlier one gave up.
  folder.accept()

  const isAsked = (): boolean => {
    const at = folder.askedAt()
    return at !== null && Date.now() - at < UNASKED_MS && folder.refusal() === null
  }

  let missingMs = MISSING_MS.least
  let restsUntil = 0

  async function keep(): Promise<void> {
    if (performance.now() < restsUntil) return
    const began = performance.now()
    const indexes = indexStore(folder, maxBytes, Date.now)
    const end = await keepIndex(portsOf(parts, indexes, signal), {
      now: Date.now,
      pause,
      signal,
      maxBytes,
      report: telling(logger),
      wanted: (builtAt) => isAsked() && !folder.isAskedAnew(builtAt),
    })
    if (end === 'missing') {
      if (performance.now() - began > MISSING_MS.most) missingMs = MISSING_MS.least
      restsUntil = performance.now() + missingMs
      missingMs = Math.min(missingMs * 2, MISSING_MS.most)
      logger.info({ againMs: missingMs }, 'the index of look-ups lacks a batch of the jobs; it is made again')
    }
    if (end === 'too large') folder.refuse({ reason: `it would take more than ${maxBytes} bytes`, at: Date.now() })
  }

  /** Nothing where another process of this host keeps the index. */
  async function alone(work: () => Promise<void> | void): Promise<void> {
    let release: () => void
    try {
      release = lockFolder(folder.root)
    } catch {
      return
    }
    try {
      await work()
    } finally {
      release()
    }
  }

  async function round(): Promise<number> {
    if (config.lookupIndex && isAsked()) await alone(keep)
    else if (folder.current() !== null) await alone(() => folder.clear())
    return ASKED_MS
  }

  const rounds = startRounds({
    round,
    onFailure: (err) => logger.warn({ err }, 'cannot keep the index of look-ups; the store answers, retrying'),
    failedMs: FAILED_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const ended = Promise.withResolvers<void>()
  return {
    closed: ended.promise,
    async stop() {
      ending.abort()
      await rounds.stop()
      ended.resolve()
    },
  }
}

function portsOf(
  { log, registry, home, config, stored }: FollowParts,
  indexes: ReturnType<typeof indexStore>,
  signal: AbortSignal,
) {
  const generations = openGenerations(home, config.clickhouseUrl, config.clickhouseCluster)
  return {
    indexes,
    rows: rowLog({
      log,
      registry,
      untilStored: stored,
    }),
    async live() {
      const { database } = await generations.current(signal)
      return { database, scan: () => scanEntities(home.at(database)) }
    },
  }
}

const telling =
  (logger: Logger) =>
  (news: IndexReport): void => {
    if (news.kind === 'built') logger.info(news, 'the index of look-ups is built')
    if (news.kind === 'too large')
      logger.warn(
        news,
        'the index of look-ups is larger than HARRIER_LOOKUP_INDEX_MB; it is removed, the store answers',
      )
  }
