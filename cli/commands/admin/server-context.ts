/** A client of a running platform, over HTTP. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The answer's JSON; null for an answer without a body. Rejects with the server's own words and error id. */
export type AdminRequest = (method: Method, path: string, body?: object) => Promise<unknown>

export type Credentials = { key: string; secret: string }

/** An answer as it comes: a list of a feed may have gigabytes. Rejects as `AdminRequest` does. */
export type Download = (path: string) => Promise<Response>

const TIMEOUT_MS = 30_000
/** Until a list begins to come: one of ten million items is made first. */
const DOWNLOAD_MS = 300_000

/** `url` without a path, such as `http://127.0.0.1:8080`. */
export const serverAt =
  (url: string, credentials: Credentials): AdminRequest =>
  async (method, path, body) => {
    const response = await ask(url, credentials, path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text === '' ? null : parseAnswer(url, text)
  }

/** The same for what is no JSON. */
export const downloadsAt =
  (url: string, credentials: Credentials): Download =>
  async (path) => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`nothing within ${DOWNLOAD_MS / 1000} s`)), DOWNLOAD_MS)
    return ask(url, credentials, path, { headers: {}, signal: late.signal }).finally(() => clearTimeout(timer))
  }

type Asked = RequestInit & { headers: Record<string, string>; signal: AbortSignal }

async function ask(url: string, { key, secret }: Credentials, path: string, init: Asked): Promise<Response> {
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    ...init,
    headers: { 'api-key': key, 'api-secret': secret, ...init.headers },
    // Credentials go to the server that was named and to no other.
    redirect: 'error',
  }).catch((cause) => {
    throw new Error(`${noAnswer(url, cause)}\n${WHAT_TO_DO}`, { cause })
  })
  if (!response.ok) throw new Error(refusal(response, await response.text()))
  return response
}

function parseAnswer(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${url} does not answer like Harrier; check HARRIER_URL`, { cause })
  }
}

/** Why nothing came, with the address that was tried. */
export const noAnswer = (url: string, cause: unknown): string => `no answer from ${url}: ${reasonOf(cause)}`

/** For whoever expected an answer. */
export const WHAT_TO_DO =
  "Is the platform running? 'harrier up' starts one on this machine. To call another platform, set HARRIER_URL or write a file harrier.json (harrier guide command-line)."

/** Why a request has no answer: fetch hides it one level down. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
}

/** The status of an answer, with the server's own words and error id. `text`: its body. */
export function refusal({ status, headers }: Response, text: string): string {
  const id = headers.get('x-error-id')
  let message = headers.get('x-error') ?? ''
  try {
    message = (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    // Not a body of ours: what the header says stands.
  }
  return `${status}${message === '' ? '' : `: ${message}`}${id === null ? '' : ` (error id ${id})`}`
}
