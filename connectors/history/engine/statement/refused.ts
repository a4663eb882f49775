/** An error with a ClickHouse error code, so that clients see the type that a server would have given. */
export class Refused extends Error {
  readonly code: number
  readonly status: number
  readonly word: string

  constructor(code: number, word: string, status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.code = code
    this.word = word
    this.status = status
  }
}

export const badRequest = (message: string): Refused => new Refused(36, 'BAD_ARGUMENTS', 400, message)
export const syntax = (message: string): Refused => new Refused(62, 'SYNTAX_ERROR', 400, message)
export const denied = (message: string): Refused => new Refused(497, 'ACCESS_DENIED', 403, message)
export const notThere = (message: string): Refused => new Refused(60, 'UNKNOWN_TABLE', 404, message)
export const notKnown = (message: string): Refused => new Refused(81, 'UNKNOWN_DATABASE', 404, message)
export const readOnly = (message: string): Refused => new Refused(164, 'READONLY', 403, message)
export const unknownSetting = (message: string): Refused => new Refused(115, 'UNKNOWN_SETTING', 404, message)
export const unknownCredentials = (): Refused =>
  new Refused(516, 'AUTHENTICATION_FAILED', 401, 'Authentication failed: user or password is incorrect')
export const tooLarge = (message: string): Refused => new Refused(396, 'TOO_MANY_ROWS_OR_BYTES', 413, message)
export const tooMany = (message: string): Refused => new Refused(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 503, message)
