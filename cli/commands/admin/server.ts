/** A running platform, asked as its administrator over HTTP. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The answer's JSON; null for an answer without a body. Rejects with the server's own words and error id. */
export type AdminRequest = (method: Method, path: string, body?: object) => Promise<unknown>

export type Administrator = { key: string; secret: string }

const TIMEOUT_MS = 30_000

/** `url` without a path, such as `http://127.0.0.1:8080`. */
export const serverAt =
  (url: string, { key, secret }: Administrator): AdminRequest =>
  async (method, path, body) => {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        'api-key': key,
        'api-secret': secret,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Credentials go to the server that was named and to no other.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw new Error(`no answer from ${url}: ${reasonOf(cause)}`, { cause })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(refusal(response, text))
    return text === '' ? null : parseAnswer(url, text)
  }

function parseAnswer(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${url} does not answer like Harrier; check HARRIER_URL`, { cause })
  }
}

/** fetch hides the reason one level down. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
}

function refusal({ status, headers }: Response, text: string): string {
  const id = headers.get('x-error-id')
  let message = headers.get('x-error') ?? ''
  try {
    message = (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    // Not a body of ours: what the header says stands.
  }
  return `${status}${message === '' ? '' : `: ${message}`}${id === null ? '' : ` (error id ${id})`}`
}
