import type { DataType } from '../../../../../schemas/intelligence/entities/datatypes/table.ts'
import { addressCases } from './cases/address.ts'
import type { Cases } from './cases/case.ts'
import { digestCases } from './cases/digest.ts'
import { locatorCases } from './cases/locator.ts'
import { numberCases } from './cases/number.ts'
import { textCases } from './cases/text.ts'

/** What every datatype reads and what it refuses (decisions 3.2). */
export const cases: Cases<DataType> = {
  ...textCases,
  ...addressCases,
  ...locatorCases,
  ...digestCases,
  ...numberCases,
}
