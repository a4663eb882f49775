import type { DataType } from '../../../schemas/intelligence/entities/datatypes/table.ts'
import { addressCases } from './address.ts'
import type { Cases } from './case.ts'
import { digestCases } from './digest.ts'
import { locatorCases } from './locator.ts'
import { numberCases } from './number.ts'
import { textCases } from './text.ts'

/** What every datatype reads and what it refuses (decisions 3.2). */
export const cases: Cases<DataType> = {
  ...textCases,
  ...addressCases,
  ...locatorCases,
  ...digestCases,
  ...numberCases,
}
