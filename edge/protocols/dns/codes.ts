/** Numbers of DNS that are used here (RFC 1035, RFC 6891). */

/** Codes of answers. */
export const RCODE = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5, badVers: 16 } as const

/** Types of records; the last three are only asked for. */
export const TYPE = { a: 1, ns: 2, soa: 6, txt: 16, opt: 41, ixfr: 251, axfr: 252, any: 255 } as const

export const CLASS_IN = 1

export const HEADER_BYTES = 12
