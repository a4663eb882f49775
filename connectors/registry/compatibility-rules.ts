import { registryAddress, registryHeaders } from './registry-address.ts'

export type RegistryRules = {
  /** Rejects with the reason when the registry cannot be reached. */
  ping(): Promise<void>
  /** The JSON of a path; null when the registry does not know it. */
  read(path: string): Promise<unknown>
  /** The compatibility level that a subject has of its own; null when it has none. */
  level(subject: string): Promise<string | null>
  /** Gives a subject its level. Rejects, saying why, when the registry refuses. */
  set(subject: string, level: string): Promise<void>
}

/** Milliseconds until a registry counts as unreachable. */
const TIMEOUT_MS = 10_000
const CONTENT = 'application/vnd.schemaregistry.v1+json'

/** What of Confluent's protocol the Avro client has no word for. */
export function registryRules(url: string): RegistryRules {
  const address = registryAddress(url)
  const { host } = address
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(host + path, {
      ...init,
      headers: { ...registryHeaders(address), 'content-type': CONTENT },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  const pathOf = (subject: string): string => `/config/${encodeURIComponent(subject)}`

  async function readJson(path: string): Promise<unknown> {
    const response = await ask(path)
    if (response.ok) return response.json()
    await response.body?.cancel()
    if (response.status === 404) return null
    throw new Error(`${host}${path} answered with status ${response.status}`)
  }

  return {
    read: readJson,
    async ping() {
      const response = await ask('/subjects')
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the schema registry ${host} answered with status ${response.status}`)
    },
    async level(subject) {
      const found = (await readJson(pathOf(subject))) as { compatibilityLevel?: unknown } | null
      return found === null ? null : String(found.compatibilityLevel).toUpperCase()
    },
    async set(subject, level) {
      const response = await ask(pathOf(subject), { method: 'PUT', body: JSON.stringify({ compatibility: level }) })
      const text = await response.text()
      if (!response.ok)
        throw new Error(
          `${host} refused the compatibility level ${level} of ${subject} (status ${response.status}): ${text.slice(0, 500)}`,
        )
    },
  }
}
