import { ADMINISTRATOR } from './platform.ts'

async function lagsIn(url: string, pattern: RegExp): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: ADMINISTRATOR })
  const lines = (await response.text()).match(pattern) ?? []
  if (!response.ok || lines.length === 0) return Number.POSITIVE_INFINITY
  return lines.reduce((sum, text) => sum + Number(text.split(' ').at(-1)), 0)
}

/** Records that the jobs have not applied yet, of all groups and partitions, as the metrics tell. */
export const lag = (url: string): Promise<number> => lagsIn(url, /^harrier_consumer_lag\{.*$/gm)

/** The same of one consumer group. */
export const lagOf = (url: string, group: string): Promise<number> =>
  lagsIn(url, new RegExp(`^harrier_consumer_lag\\{.*group="${group}".*$`, 'gm'))
