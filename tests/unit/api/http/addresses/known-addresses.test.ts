import { expect, test } from 'vitest'
import { addressBlock } from '../../../../../api/http/addresses/address-block.ts'
import { knownBlock, knownRange } from '../../../../../api/http/addresses/known-addresses.ts'
import { addressRange } from '../../../../../schemas/accounts/client-networks.ts'

test.each(['192.0.2.7', '2001:db8::1', '2001:DB8:0::1', 'fe80::1%eth0', '::1', '', 'no address'])(
  'the address %j is read the second time as the first',
  (address) => {
    for (let i = 0; i < 2; i++) {
      expect(knownBlock(address)).toBe(addressBlock(address))
      expect(knownRange(address)).toEqual(addressRange(address))
    }
  },
)
