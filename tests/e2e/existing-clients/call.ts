/** One request of a public client of this interface, and what the platform must answer. Tables of these are replayed. */

/** What earlier calls left for later ones: ids of the records that they made. */
export type Known = Record<string, string>

/**
 * Who calls. `member`: a user with the roles user, reporter and trusted that owns a customer; `administrator`: the
 * built-in administrator, who belongs to no customer; `anonymous`: no credentials.
 */
export type Caller = 'member' | 'administrator' | 'anonymous'

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Call = {
  /** Of the JavaScript client: `casework.createCase`. `-` is a request that only prepares for the ones behind it. */
  method: string
  /** Of the method, when the client itself is run. Left out: the row is replayed over HTTP alone. */
  args?: readonly unknown[] | ((known: Known) => readonly unknown[])
  verb: Verb
  /** With its query string, as the client writes it. */
  path: string | ((known: Known) => string)
  /** JSON, or what makes it. Left out: no body and no content type. */
  body?: object | ((known: Known) => object)
  /** Default: `member`. */
  by?: Caller
  status: number
  /** Stores ids for later rows. */
  keep?: (answer: unknown, known: Known) => void
  /** Whether the answer is what the client can use. Left out: the status says enough. */
  holds?: (answer: unknown, known: Known) => boolean
  /** The answer follows from work that is done behind an acknowledgement: repeated for 10 s until it holds. */
  eventually?: true
}

/** What stands in an answer: `at(answer, 'results', 0, 'id')`. undefined where nothing does. */
export function at(answer: unknown, ...path: readonly (string | number)[]): unknown {
  let value = answer
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** Keeps one text of an answer under a name: `keep: kept('caseId', 'id')`. */
export const kept =
  (name: string, ...path: readonly (string | number)[]) =>
  (answer: unknown, known: Known): void => {
    known[name] = String(at(answer, ...path))
  }
