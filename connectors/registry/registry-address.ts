export type RegistryAddress = {
  /** Without credentials and without a slash at the end. */
  host: string
  auth: { username: string; password: string } | null
}

/** Where a registry is and who asks, out of a URL such as `http://user:password@host:8081/path`. */
export function registryAddress(url: string): RegistryAddress {
  const parsed = new URL(url)
  const { username, password } = parsed
  parsed.username = ''
  parsed.password = ''
  const host = parsed.href.replace(/\/+$/, '')
  if (username === '' && password === '') return { host, auth: null }
  return { host, auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
}

/** Headers of a request to the registry that the Avro client does not make. */
export function registryHeaders({ auth }: RegistryAddress): Record<string, string> {
  if (auth === null) return {}
  return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
}
