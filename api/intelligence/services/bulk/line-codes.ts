/** The codes of error lines, each with what it says. docs/integrate/bulk.md has the same table, and the API document names them. */

/** The name that the limit has in error lines; every other answer calls it `rate_limited`. Clients read both. */
export const LIMIT_OF_LINES = 'rate_limit_exceeded'

/** Such a line refuses itself alone. */
export const CODES_OF_LINES = {
  malformed_json: 'the line is not valid JSON in UTF-8',
  invalid_parameter: 'a field is missing, unknown or invalid; `param` names it',
  body_too_large: 'the line is longer than 1 MiB',
  forbidden: '`visibleBy` names a group that the caller is not in',
  rate_limit_exceeded: 'the limit `bulk_lines_per_minute` is used up; other answers call this `rate_limited`',
} as const

/** Such a line is the last one. */
export const CODES_OF_ENDS = {
  too_many_lines: 'the body has more than 100,000 lines that are not blank',
  too_large: 'the body has more than 64 MiB',
  request_timeout: 'no whole line came for 60 s, or the body takes more than an hour',
  idempotency_mismatch: 'the key was used with another body',
  log_unavailable: 'the log is unavailable; retry in a moment',
  publish_failed: 'the log did not accept a line in time',
  store_unavailable: 'a data store is unavailable',
  query_timeout: 'a data store is slow',
  unauthorized: 'the credentials of the caller are no longer valid',
  forbidden: 'the caller has lost the role `reporter` or a group',
  scope_missing: 'the key pair has lost the scope `ingest`',
  network_refused: 'the key pair may no longer be used from this network',
} as const

/** An error of an end that the table of errors of the API does not have. */
export type EndOfBody = 'too_many_lines' | 'too_large' | 'request_timeout'

const named = (codes: object): string =>
  Object.keys(codes)
    .map((code) => `\`${code}\``)
    .join(', ')

/** Both tables in a sentence each, for the API document. */
export const LINE_CODES_TEXT = `A line is refused with ${named(CODES_OF_LINES)}. The stream ends early with one error line: ${named(CODES_OF_ENDS)}. \`${LIMIT_OF_LINES}\` is what every other answer calls \`rate_limited\`.`
