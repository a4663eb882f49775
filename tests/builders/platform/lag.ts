import { ADMINISTRATOR } from './platform.ts'

/** Records that the jobs have not applied yet, of all groups and partitions, as the metrics tell. */
export async function lag(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: ADMINISTRATOR })
  const lines = (await response.text()).match(/^harrier_consumer_lag\{.*$/gm) ?? []
  if (!response.ok || lines.length === 0) return Number.POSITIVE_INFINITY
  return lines.reduce((sum, text) => sum + Number(text.split(' ').at(-1)), 0)
}
