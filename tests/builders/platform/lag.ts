import { ADMINISTRATOR } from './platform.ts'

/** Null while the platform tells none. */
async function linesOf(url: string, pattern: RegExp): Promise<string[] | null> {
  const response = await fetch(`${url}/metrics`, { headers: ADMINISTRATOR })
  const lines = (await response.text()).match(pattern) ?? []
  return response.ok && lines.length > 0 ? lines : null
}

const lagIn = (line: string): number => Number(line.split(' ').at(-1))

async function lagsIn(url: string, pattern: RegExp): Promise<number> {
  const lines = await linesOf(url, pattern)
  return lines === null ? Number.POSITIVE_INFINITY : lines.reduce((sum, line) => sum + lagIn(line), 0)
}

const ALL = /^harrier_consumer_lag\{.*$/gm

/** Records that the jobs have not applied yet, of all groups and partitions, as the metrics tell. */
export const lag = (url: string): Promise<number> => lagsIn(url, ALL)

/** The same of one consumer group. */
export const lagOf = (url: string, group: string): Promise<number> =>
  lagsIn(url, new RegExp(`^harrier_consumer_lag\\{.*group="${group}".*$`, 'gm'))

/** The metrics of what is not applied, a line for each group and partition; empty: all is. */
export const behind = async (url: string): Promise<string[]> =>
  (await linesOf(url, ALL))?.filter((line) => lagIn(line) > 0) ?? ['no metrics']
