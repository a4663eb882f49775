import { mkdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { analysts } from './analyst/ask.ts'
import { openInbox } from './http/body.ts'
import { HOME } from './http/request.ts'
import { engineServer } from './http/server.ts'
import type { FromEngine, ToEngine } from './messages.ts'

import { type EngineSessions, openSessions } from './sessions.ts'
import { counted, countWrites } from './written.ts'

/** The embedded engine as a program: a child process of its supervisor, which sends it over IPC what to open. */

const CLOSE_MS = 3000
const LOOPBACK = '127.0.0.1'

const tell = (message: FromEngine): void => {
  process.send?.(message)
}

/** Only a kill frees the folder at once: an exit would wait for queries that run in the engine. */
const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const owner = (dir: string): string => {
  try {
    return /PID: (\d+)/.exec(readFileSync(join(dir, 'status'), 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

const open = ({ dataDir, lanes, memoryBytes }: ToEngine): EngineSessions | undefined => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return counted(openSessions(dataDir, lanes, memoryBytes), countWrites(dataDir))
  } catch (error) {
    const pid = owner(dataDir)
    const reason = pid === '' ? String(error) : `process ${pid} has it open`
    tell({ kind: 'refused', reason: `the history store cannot open ${dataDir}: ${reason}` })
    return undefined
  }
}

const serve = async (start: ToEngine): Promise<void> => {
  const sessions = open(start)
  if (sessions === undefined) return void setTimeout(die, 100)
  const nothing = { format: 'TabSeparated', settings: {}, params: {}, lane: 'insert' as const }
  const never = new AbortController().signal
  const home = `CREATE DATABASE IF NOT EXISTS ${HOME} ENGINE = Atomic`
  await sessions.run({ ...nothing, sql: home, database: 'default' }, never)
  const inbox = await openInbox('/dev/shm', join(start.dataDir, 'inbox'), start.limits.bodyBytes)
  const people = start.analysts && analysts(sessions, start.analysts)
  const server = engineServer(sessions, inbox, { account: start.account, analysts: people }, start.limits)
  let { port } = start
  server.on('listening', () => tell({ kind: 'ready', port: (server.address() as AddressInfo).port }))
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (start.orAnother && port !== 0 && error.code === 'EADDRINUSE') {
      port = 0
      return void server.listen(port, LOOPBACK)
    }
    tell({ kind: 'refused', reason: `the history store cannot listen: ${error.message}` })
    setTimeout(die, 100)
  })
  server.listen(port, LOOPBACK)
  const stop = (): void => {
    setTimeout(() => inbox.close().finally(die), CLOSE_MS)
    server.close(() => Promise.all([sessions.close(), inbox.close()]).finally(() => process.exit(0)))
    server.closeIdleConnections()
  }
  process.on('message', (message: ToEngine | 'stop') => message === 'stop' && stop())
}

process.once('message', (message: ToEngine) => {
  serve(message).catch((error: unknown) => {
    tell({ kind: 'refused', reason: `the history store failed to start: ${String(error)}` })
    setTimeout(die, 100)
  })
})
process.on('disconnect', die)
// The supervisor decides when to stop; a terminal sends these to every process of the group.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
