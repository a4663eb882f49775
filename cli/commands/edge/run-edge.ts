import { listFolder } from '../../../connectors/edge-list/list-folder.ts'
import type { EdgeList } from '../../../connectors/edge-list/port.ts'
import { keptFile } from '../../../connectors/feed-client/kept-file.ts'
import type { FeedClient } from '../../../connectors/feed-client/port.ts'
import { edgeAnswers } from '../../../edge/answers/answers.ts'
import { listAge } from '../../../edge/follow/age.ts'
import { keepFiles } from '../../../edge/follow/files.ts'
import { followFeed } from '../../../edge/follow/follow.ts'
import { allowing } from '../../../edge/listeners/allowed.ts'
import { listenDns } from '../../../edge/listeners/dns.ts'
import { listenHttp } from '../../../edge/listeners/http/server.ts'
import type { Listener } from '../../../edge/listeners/listener.ts'
import { metricsText } from '../../../edge/listeners/metrics.ts'
import { listenTcp } from '../../../edge/listeners/tcp.ts'
import { dnsResponder } from '../../../edge/protocols/dns/responder.ts'
import { dnsTcpSession } from '../../../edge/protocols/dns/tcp-session.ts'
import { memcachedSession } from '../../../edge/protocols/memcached/memcached-session.ts'
import { redisSession } from '../../../edge/protocols/redis/redis-session.ts'
import { pause } from '../../../platform/pause.ts'
import { version } from '../../wiring/process/version.ts'
import { moment, readAge, takeFolder, writeAge } from './data-folder.ts'
import type { Listen } from './listen-option.ts'
import { told } from './told.ts'

/** How often it is kept how old the list is, in milliseconds; a process that is killed leaves the last one. */
const AGE_MS = 5_000
const ANSWERED_MS = 1_000
/** How long it holds whether the list is too old, in milliseconds. */
const LOOK_MS = 50

export type EdgeOptions = {
  /** Where the feed is, for the log. */
  platform: string
  feed: string
  folder: string
  listens: readonly Listen[]
  /** null: everybody who reaches a listener. */
  allow: readonly string[] | null
  secret: string | null
  maxAgeSeconds: number
  dnsTtl: number
  signal: AbortSignal
  say: (line: string) => void
}

type Address = Exclude<Listen, { protocol: 'file' }>

/**
 * Follows a feed and answers until the signal aborts (decisions 19).
 * @throws Error when the folder or an address cannot be had; Refused when the platform refuses and there is no list
 */
export async function runEdge(client: FeedClient, options: EdgeOptions): Promise<void> {
  const { feed, folder, listens, say } = options
  const release = takeFolder(folder, feed)
  const lists = listFolder(folder, { writes: true })
  const age = listAge(readAge(folder), moment)
  let list: EdgeList | null = lists.open()
  lists.removeOthers()
  let lookedAt = Number.NEGATIVE_INFINITY
  let stale = true
  /** Asked before each answer: to ask the machine each time would cost more than the answer. */
  const isStale = (): boolean => {
    if (performance.now() - lookedAt < LOOK_MS) return stale
    lookedAt = performance.now()
    stale = list === null || (age.seconds() ?? Number.POSITIVE_INFINITY) > options.maxAgeSeconds
    return stale
  }
  const lookAgain = (): void => {
    lookedAt = Number.NEGATIVE_INFINITY
  }
  const answers = edgeAnswers({ list: () => list, isStale, ageSeconds: () => age.seconds() })
  const allowed = allowing(options.allow)
  const open: { protocol: string; listener: Listener }[] = []
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const addresses = listens.filter((one): one is Address => one.protocol !== 'file')
  const targets = listens.flatMap((one) =>
    one.protocol === 'file' ? [{ format: one.format, path: one.path, put: keptFile(one.path).put }] : [],
  )
  const files = keepFiles(
    targets,
    { feed: client, sequence: () => list?.state().sequence ?? null, pause, report: say },
    signal,
  )
  const metrics = (): string => {
    const connections = open.map(({ protocol, listener }) => ({ protocol, connections: listener.connections() }))
    return metricsText(answers, connections, files.states())
  }
  const listen = (one: Address): Promise<Listener> => {
    if (one.protocol === 'dns') {
      const responder = dnsResponder({ zone: one.zone, answers, places: answers, ttl: options.dnsTtl })
      return listenDns(one.place, responder, () => dnsTcpSession(responder), allowed)
    }
    if (one.protocol === 'http') return listenHttp(one.place, { answers, allowed, secret: options.secret, metrics })
    if (one.protocol === 'redis')
      return listenTcp(one.place, () => redisSession(answers, { secret: options.secret, version }), allowed)
    return listenTcp(one.place, () => memcachedSession(answers, { version }), allowed)
  }
  let keptAt = Number.NEGATIVE_INFINITY
  let unkept = ''
  const keepAge = (): void => {
    keptAt = performance.now()
    try {
      writeAge(folder, age.stored())
      unkept = ''
    } catch (error) {
      // The disk is full, say. After a restart the list is as old as it was kept last.
      const { message } = error as Error
      if (message !== unkept) say(`failed: ${message}`)
      unkept = message
    }
  }
  const log = told(say)
  const answered = (): void => {
    age.answered()
    lookAgain()
    log.answered()
    if (performance.now() - keptAt >= ANSWERED_MS) keepAge()
  }
  const timer = setInterval(keepAge, AGE_MS)
  try {
    say(`follows the feed ${feed} at ${options.platform}`)
    for (const one of addresses) {
      const listener = await listen(one).catch((error: Error) => {
        throw new Error(`cannot listen at ${one.text}: ${error.message}`, { cause: error })
      })
      open.push({ protocol: one.protocol, listener })
      say(`answers at ${one.text.replace(/:0(?=\/|$)/, `:${listener.port}`)}`)
    }
    for (const { format, path } of targets) say(`keeps ${path} as ${format}`)
    say(list === null ? 'no list yet' : `${list.state().items} items at the sequence ${list.state().sequence}`)
    await followFeed(
      {
        feed: client,
        lists,
        pause,
        answered,
        changed(now) {
          list = now
          lookAgain()
          answers.changed()
        },
        report: log.report,
      },
      list,
      { feed, maxAgeSeconds: options.maxAgeSeconds, signal },
    )
  } finally {
    over.abort()
    clearInterval(timer)
    await Promise.all(open.map(({ listener }) => listener.close()))
    await files.ended
    await list?.close()
    keepAge()
    release()
  }
}
