/** The error of a failed request, as every page shows it. */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  /** A stable word for the kind of refusal; `network` when nothing answered. */
  readonly code: string
  /** Finds the log line of the platform; null when nothing answered. */
  readonly errorId: string | null
  /** The parameter or field at fault. */
  readonly param: string | null
  /** Seconds until a retry makes sense; null: the platform did not say. */
  readonly retryAfter: number | null

  constructor(message: string, known: Partial<Pick<Problem, 'status' | 'code' | 'errorId' | 'param' | 'retryAfter'>>) {
    super(message)
    this.status = known.status ?? 0
    this.code = known.code ?? 'network'
    this.errorId = known.errorId ?? null
    this.param = known.param ?? null
    this.retryAfter = known.retryAfter ?? null
  }
}

type Body = { error?: { message?: string; code?: string; error_id?: string; param?: string } }

/** The refusal in an answer that is not a success. */
export async function problemOf(response: Response): Promise<Problem> {
  const { error } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Body
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Problem(error?.message ?? `the platform answered ${response.status}`, {
    status: response.status,
    code: error?.code ?? 'unknown',
    errorId: error?.error_id ?? response.headers.get('x-error-id'),
    param: error?.param ?? null,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  })
}

/** The thrown value as a Problem, which pages can show. */
export const asProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem
    ? thrown
    : new Problem(thrown instanceof TypeError ? 'the platform does not respond' : String(thrown), {})
