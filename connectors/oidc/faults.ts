/** What the libraries throw, as errors of the port. */

import { errors as jose } from 'jose'
import * as client from 'openid-client'
import { IssuerUnavailable, SignOnFault } from './port.ts'

/** Codes of the client library that say nothing of the person: the issuer is late, or answers like no issuer. */
const UNAVAILABLE = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
])

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Runs a step of a sign-on. Throws IssuerUnavailable and SignOnFault. */
export async function explained<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): Error {
  if (error instanceof SignOnFault || error instanceof IssuerUnavailable) return error
  const message = error instanceof Error ? error.message : 'unknown'
  if (error instanceof client.AuthorizationResponseError) return new SignOnFault('denied', `it says ${error.error}`)
  if (error instanceof client.ResponseBodyError) {
    if (error.status >= 500) return new IssuerUnavailable(`it answers ${error.status}`)
    return new SignOnFault('refused', `it says ${error.error}`)
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return new SignOnFault('refused', message)
  if (error instanceof client.ClientError && !UNAVAILABLE.has(codeOf(error)) && !isLost(error.cause)) {
    return new SignOnFault('refused', `${message}${detailOf(error.cause)}`)
  }
  if (isOfToken(error)) return new SignOnFault('refused', message)
  return new IssuerUnavailable(message, { cause: error })
}

/** A connection that failed, in whichever library. */
const isLost = (error: unknown): boolean => error instanceof TypeError && error.cause instanceof Error

/** Messages alone: other fields may hold the token itself. */
const detailOf = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : '')

/** Whether a token does not hold, rather than that its keys could not be read. */
const isOfToken = (error: unknown): boolean =>
  [
    jose.JWTClaimValidationFailed,
    jose.JWTExpired,
    jose.JWTInvalid,
    jose.JWSInvalid,
    jose.JWSSignatureVerificationFailed,
    jose.JWKSNoMatchingKey,
    jose.JWKSMultipleMatchingKeys,
    jose.JOSEAlgNotAllowed,
    jose.JOSENotSupported,
  ].some((kind) => error instanceof kind)
