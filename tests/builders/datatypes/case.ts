import type { DataType } from '../../../schemas/intelligence/entities/datatypes/table.ts'

export type Case = {
  /** As given, and the normal form. */
  valid: readonly (readonly [string, string])[]
  invalid: readonly string[]
}

export type Cases<Names extends DataType> = Readonly<Record<Names, Case>>
