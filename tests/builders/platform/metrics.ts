import { ADMINISTRATOR } from './platform.ts'

/** What a platform of `startPlatform` measured, as its administrator is shown it. */
export async function metricsOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: ADMINISTRATOR })
  return answer.text()
}
