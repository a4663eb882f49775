/** A submission that cannot be taken (400): the parameter at fault and a message that names it. */
export type Invalid = { ok: false; kind: 'invalid'; param: string; message: string }

export const invalid = (param: string, message: string): Invalid => ({ ok: false, kind: 'invalid', param, message })

const MAX_QUOTED = 64

/** A name from the submission, short and printable enough to be repeated in a message and in a header. */
export function printableName(name: string): string {
  const short = name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}...` : name
  return short.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
