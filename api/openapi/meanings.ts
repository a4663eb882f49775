import type { ErrorCode } from '../http/errors.ts'

/** The meaning of each code for API clients, and what a client can do about it. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'The request is not valid HTTP, or its body is incomplete.',
  malformed_json: 'The body is missing, is not UTF-8, or is not JSON.',
  invalid_parameter: 'A parameter or body field is missing, unknown or invalid; `param` names it.',
  bad_cursor: 'The cursor was changed, or belongs to another request; start again without a cursor.',
  query_too_expensive: 'The search exceeds the allowed memory, rows or clauses; narrow it.',
  retraction_pending:
    'The records of the page are in the log, but the jobs did not apply all of them in time. They are applied once the jobs run. Send the same request again: it skips what was applied by then.',
  query_timeout: 'The query timed out; narrow it, or retry after `retry-after`.',
  last_owner: 'The last owner of a customer cannot be removed or demoted; transfer the ownership first.',
  unauthorized: 'Credentials are missing, wrong, expired or not verified.',
  forbidden: 'The caller lacks the required role or membership.',
  scope_missing: 'The key pair does not have the scope of this route (`x-scope`); use one that has it.',
  network_refused: 'The key pair may only be used from its networks, and the client is in none of them.',
  not_found: 'The resource does not exist, or the caller may not read it.',
  no_results: 'No record that the caller may read matches the query.',
  method_not_allowed: 'The path does not support this method.',
  conflict: 'The current state of the resource does not allow the request.',
  in_progress: 'A request with the same `idempotency-key` is in progress; retry after `retry-after`.',
  idempotency_mismatch: 'The `idempotency-key` was used with another body within 24 hours; use another key.',
  quota_exceeded: 'The quota of the tier is used up; delete some of these resources or use a higher tier.',
  not_acceptable: 'The server supports none of the media types that `accept` names.',
  cursor_expired:
    'The cursor has expired, because later changes are no longer kept; the message says how to start again.',
  precondition_failed: 'The caller’s current state (for example an existing membership) does not allow the request.',
  body_too_large: 'The body exceeds the maximum size.',
  upgrade_required: 'The address accepts only WebSocket handshakes of version 13.',
  range_not_satisfiable: 'The range is not within the file; ask without `range`.',
  unsupported_media_type: 'The body must be uncompressed `application/json`.',
  rate_limited:
    'The rate limit of the current window is used up, as many live streams are open as the tier allows, or there were too many attempts with a wrong secret; retry after `retry-after`. Lines of a bulk report call it `rate_limit_exceeded`.',
  feature_disabled: 'The tier of the caller does not include this feature.',
  internal: 'Internal error; find the `error_id` in the server log.',
  aggregation_failed: 'The statistics could not be computed; find the `error_id` in the server log.',
  search_failed: 'The search failed because of an internal error; find the `error_id` in the server log.',
  payment_failed: 'The payment provider cannot be reached; nothing was changed. Retry later.',
  publish_failed: 'The report may not have been stored; send it again. Duplicates do not count twice.',
  store_unavailable: 'A data store is unavailable; retry after `retry-after`.',
  log_unavailable:
    'The log is unavailable for a moment; retry after `retry-after`. What was sent may have been stored; duplicates do not count twice.',
  building: 'The feed has no list yet; retry after `retry-after`.',
  busy: 'Too many searches or feed lists are in progress; retry after `retry-after`.',
  unavailable: 'A required component is unavailable; `param` names it.',
}
