import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyBytes } from '../../../../../connectors/history/stores/rows-by-key.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { entityKey } from '../../../../../schemas/intelligence/state/entity-state.ts'

test('the bytes of keys are those of the numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (values) => {
      const ids = values.map((value) => entityId('domain', value))
      expect(keyBytes(ids)).toEqual(Buffer.from(BigUint64Array.from(ids.map(entityKey)).buffer))
    }),
  )
})
