import { printableName } from '../ingest/invalid.ts'

/** Ends the reading of a search at its first fault; never leaves `readSearch`. */
export class Fault extends Error {
  readonly param: string
  constructor(param: string, message: string) {
    super(message)
    this.param = param
  }
}

/** Refuses what stands at `path`; the message goes on after the name, as in "must be a number". */
export function fault(path: string, message: string): never {
  throw new Fault(path, message)
}

/** The path of a member; a caller's name in it is short and printable. */
export const at = (path: string, name: string): string =>
  path === '' ? printableName(name) : `${path}.${printableName(name)}`
