import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Logger } from 'pino'

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

/** The port for SQL on loopback: the wanted one, or 0, any free one, when somebody else has it. */
export async function sqlPort(wanted: number, logger: Pick<Logger, 'warn'>): Promise<number> {
  if (wanted === 0 || (await isFree(wanted))) return wanted
  logger.warn({ port: wanted }, 'the port for SQL is taken; another one is used: HARRIER_SQL_PORT names it for good')
  return 0
}
